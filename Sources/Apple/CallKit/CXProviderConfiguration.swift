// SPDX-License-Identifier: MIT

public import Foundation
import VirtualPhone

/// What a provider can do and how its calls look.
///
/// The phone sees a change when it is set on the provider (G1).
open class CXProviderConfiguration: NSObject, NSCopying {
    private let name: String?
    private var fields = ProviderConfigurationValue()

    /// The defaults: 2 groups of 5 calls, audio alone, calls appear in Recents, no handle type (G1).
    public override init() {
        name = nil
    }

    /// The defaults with a name, as iOS 13 and older took it.
    ///
    /// Newer systems show the app's own name.
    public convenience init(localizedName: String) {
        self.init(name: localizedName)
    }

    private init(name: String?) {
        self.name = name
    }

    /// The name given when the configuration was made.
    open var localizedName: String? { name }
    /// The file name of the ring tone in the app's bundle; nil for the phone's own.
    open var ringtoneSound: String? {
        get { fields.ringtoneSound }
        set { fields.ringtoneSound = newValue }
    }
    /// The PNG of the icon on the call screen.
    open var iconTemplateImageData: Data? {
        get { fields.iconTemplateImageData }
        set { fields.iconTemplateImageData = newValue }
    }
    /// How many groups of calls may live at once.
    open var maximumCallGroups: Int {
        get { fields.maximumCallGroups }
        set { fields.maximumCallGroups = newValue }
    }
    /// How many calls a group may have.
    open var maximumCallsPerCallGroup: Int {
        get { fields.maximumCallsPerCallGroup }
        set { fields.maximumCallsPerCallGroup = newValue }
    }
    /// Whether calls appear in Recents.
    open var includesCallsInRecents: Bool {
        get { fields.includesCallsInRecents }
        set { fields.includesCallsInRecents = newValue }
    }
    /// Whether calls can have video.
    open var supportsVideo: Bool {
        get { fields.supportsVideo }
        set { fields.supportsVideo = newValue }
    }
    /// Whether calls can be translated (G8).
    open var supportsAudioTranslation: Bool {
        get { fields.supportsAudioTranslation }
        set { fields.supportsAudioTranslation = newValue }
    }
    /// The kinds of addresses that calls can go to.
    public final var supportedHandleTypes: Set<CXHandle.HandleType> {
        get { Set(fields.supportedHandleTypes.compactMap(CXHandle.HandleType.init(rawValue:))) }
        set { fields.supportedHandleTypes = newValue.map(\.rawValue).sorted() }
    }

    /// A configuration of its own with the same values.
    open func copy(with zone: NSZone? = nil) -> Any {
        duplicate()
    }

    func duplicate() -> CXProviderConfiguration {
        let copy = CXProviderConfiguration(name: name)
        copy.fields = fields
        return copy
    }

    var boundaryValue: ProviderConfigurationValue { fields }
}
