// SPDX-License-Identifier: MIT

public import Foundation

/// A picture, such as the icon of the call screen: its bytes and its size.
///
/// Nothing is drawn.
open class UIImage: NSObject {
    /// How a picture's colours are used.
    public enum RenderingMode: Int, Sendable {
        /// As the place it is shown in wants it.
        case automatic = 0
        /// As they are.
        case alwaysOriginal = 1
        /// Only where there is something; for the call screen's icon.
        case alwaysTemplate = 2
    }

    private let bytes: Data
    /// Width and height in points.
    public let size: CGSize
    /// Pixels for each point.
    open var scale: CGFloat { 1 }

    init(bytes: Data, size: CGSize) {
        self.bytes = bytes
        self.size = size
        super.init()
    }

    /// A picture from a file's bytes: PNG or JPEG; nil for anything else.
    public convenience init?(data: Data) {
        guard let size = ImageSize.of(data) else { return nil }
        self.init(bytes: data, size: size)
    }

    /// The app's picture of that name.
    ///
    /// A file `name.png` beside the executable is used; there are no asset catalogs on Linux, so every other name gives
    /// a picture of 40 × 40 points, and never nil.
    public convenience init?(named name: String) {
        self.init(named: name, in: nil)
    }

    /// The picture of that name in a bundle, as ``init(named:)`` finds it.
    public convenience init?(named name: String, in bundle: Bundle?) {
        let bundle = bundle ?? .main
        if let path = bundle.path(forResource: name, ofType: name.contains(".") ? nil : "png"),
            let data = FileManager.default.contents(atPath: path), let size = ImageSize.of(data)
        {
            self.init(bytes: data, size: size)
        } else {
            self.init(bytes: ImageSize.placeholder, size: CGSize(width: 40, height: 40))
        }
    }

    /// A symbol of the system's; a picture of 40 × 40 points here, whatever the name.
    public convenience init?(systemName name: String) {
        self.init(bytes: ImageSize.placeholder, size: CGSize(width: 40, height: 40))
    }

    /// A picture in a file.
    public convenience init?(contentsOfFile path: String) {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        self.init(data: data)
    }

    /// The picture as PNG; nil when it was made from another format: nothing is converted here.
    open func pngData() -> Data? {
        bytes.starts(with: ImageSize.pngSignature) ? bytes : nil
    }

    /// The picture as JPEG; nil when it was made from another format: nothing is converted here.
    open func jpegData(compressionQuality: CGFloat) -> Data? {
        bytes.starts(with: [0xFF, 0xD8]) ? bytes : nil
    }

    /// The same picture.
    open func withRenderingMode(_ renderingMode: RenderingMode) -> UIImage {
        self
    }
}

// Never changed after it was made.
extension UIImage: @unchecked Sendable {}
