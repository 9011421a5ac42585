// SPDX-License-Identifier: MIT

public import Foundation

// Names only: so that an app's call code compiles. The phone shows no views of an app.

/// The screen of the phone.
@preconcurrency @MainActor
open class UIScreen: NSObject {
    /// The phone's own.
    public static let main = UIScreen()
    /// Its size in points.
    open var bounds: CGRect { CGRect(x: 0, y: 0, width: 393, height: 852) }
    /// Pixels for each point.
    open var scale: CGFloat { 3 }
}

/// Something to see; nothing is drawn.
@preconcurrency @MainActor
open class UIView: UIResponder {
    /// Its place in its parent.
    open var frame: CGRect
    /// Whether it is not to be seen.
    open var isHidden = false

    /// Makes a view.
    public init(frame: CGRect) {
        self.frame = frame
        super.init()
    }

    /// Makes a view without size.
    public convenience override init() {
        self.init(frame: .zero)
    }
}

/// An app's window; nothing is shown in it.
@preconcurrency @MainActor
open class UIWindow: UIView {
    /// What it would show.
    open var rootViewController: UIViewController? {
        didSet { if let rootViewController { rootViewController.loadViewIfNeeded() } }
    }

    /// Makes a window of a scene.
    public convenience init(windowScene: UIWindowScene) {
        self.init(frame: UIScreen.main.bounds)
    }

    /// Would show it.
    open func makeKeyAndVisible() {
        UIApplication.shared.windows.append(self)
    }
}

/// What an app would show; its `viewDidLoad` runs when it becomes a window's root or is presented, nothing else does.
@preconcurrency @MainActor
open class UIViewController: UIResponder {
    /// Its title.
    open var title: String?
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    /// What it shows.
    open var view: UIView! = UIView()
    /// Whether `viewDidLoad` has run.
    open private(set) var isViewLoaded = false
    /// What is shown over it.
    open private(set) var presentedViewController: UIViewController?

    /// Makes a controller; there are no nib files here.
    public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
        super.init()
    }

    /// Makes a controller.
    public convenience override init() {
        self.init(nibName: nil, bundle: nil)
    }

    /// Makes none: there are no storyboards here.
    public required init?(coder: NSCoder) {
        nil
    }

    /// Runs `viewDidLoad`, once.
    open func loadViewIfNeeded() {
        guard !isViewLoaded else { return }
        isViewLoaded = true
        viewDidLoad()
    }

    /// The view is there.
    open func viewDidLoad() {}
    /// The view will be seen.
    open func viewWillAppear(_ animated: Bool) {}
    /// The view is seen.
    open func viewDidAppear(_ animated: Bool) {}
    /// The view will be gone.
    open func viewWillDisappear(_ animated: Bool) {}
    /// The view is gone.
    open func viewDidDisappear(_ animated: Bool) {}

    /// Shows another controller over this one.
    open func present(
        _ viewControllerToPresent: UIViewController, animated flag: Bool,
        completion: (@MainActor @Sendable () -> Void)? = nil
    ) {
        presentedViewController = viewControllerToPresent
        viewControllerToPresent.loadViewIfNeeded()
        if let completion { DispatchQueue.main.async { completion() } }
    }

    /// Closes what is shown over it.
    open func dismiss(animated flag: Bool, completion: (@MainActor @Sendable () -> Void)? = nil) {
        presentedViewController = nil
        if let completion { DispatchQueue.main.async { completion() } }
    }
}
