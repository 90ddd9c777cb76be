import Foundation
import Synchronization

/// Setting that the Camera Control button of a phone can change.
open class AVCaptureControl: NSObject, @unchecked Sendable {
    private let enabled = Mutex(true)
    private let binding = EnvironmentBinding()
    private let owner = Mutex(Owner())

    private struct Owner: Sendable {
        weak var session: AVCaptureSession?
    }

    override init() {}

    var environment: CaptureEnvironment { binding.environment() }

    /// Whether the user can change it; default true.
    open var isEnabled: Bool {
        get { enabled.withLock { $0 } }
        set { enabled.withLock { $0 = newValue } }
    }

    /// Session that it was added to.
    var session: AVCaptureSession? {
        get { owner.withLock { $0.session } }
        set { owner.withLock { $0.session = newValue } }
    }
}

/// Slider with a meaning of the app's own.
open class AVCaptureSlider: AVCaptureControl, @unchecked Sendable {
    /// Title to show to people.
    public let localizedTitle: String
    /// Name of the symbol to show.
    public let symbolName: String
    private let allowed: Allowed
    let range: ClosedRange<Float>
    private let state: Mutex<State>

    private struct State: Sendable {
        var value: Float
        var queue: DispatchQueue?
        var action: (@Sendable (Float) -> Void)?
        var prominent: [Float] = []
        var format: String?
        var identifier: String?
    }

    /// Values that the slider takes within its range.
    private enum Allowed: Sendable {
        case all
        /// Lower bound and every step above it.
        case steps(Float)
        /// In ascending order.
        case values([Float])
    }

    /// Raises for a range that is not finite, and goes on with one of 0 alone.
    private init(_ title: String, _ symbolName: String, range: ClosedRange<Float>, _ allowed: Allowed) {
        let isFinite = range.lowerBound.isFinite && range.upperBound.isFinite
        (localizedTitle, self.symbolName, self.range, self.allowed) = (title, symbolName, isFinite ? range : 0...0, allowed)
        state = Mutex(State(value: isFinite ? range.lowerBound : 0))
        super.init()
        guard !isFinite else { return }
        environment.raise(
            .invalidArgument, "-[AVCaptureSlider init]", "the range [\(range.lowerBound), \(range.upperBound)] of \"\(title)\" is not finite")
    }

    /// Makes a slider of any value within `range`; raises for a range that is not finite.
    public convenience init(_ localizedTitle: String, symbolName: String, in range: ClosedRange<Float>) {
        self.init(localizedTitle, symbolName, range: range, .all)
    }

    /// Makes a slider of every `step` from the lower bound of `range` on; of the lower bound alone where `step` is not above 0. Raises for a range
    /// that is not finite.
    public convenience init(_ localizedTitle: String, symbolName: String, in range: ClosedRange<Float>, step: Float) {
        self.init(localizedTitle, symbolName, range: range, step > 0 ? .steps(step) : .values([range.lowerBound]))
    }

    /// Makes a slider of the given values, in ascending order; raises for one that is not finite.
    public convenience init(_ localizedTitle: String, symbolName: String, values: [Float]) {
        let sorted = values.contains(where: \.isNaN) ? [.infinity] : values.sorted()
        self.init(localizedTitle, symbolName, range: (sorted.first ?? 0)...(sorted.last ?? 0), .values(sorted))
    }

    /// Value within the range, in its unit, at first its lower bound; set values go to the nearest allowed and call no action. Raises out of range.
    open var value: Float {
        get { state.withLock { $0.value } }
        set {
            guard range.contains(newValue) else {
                return environment.raise(
                    .range, "-[AVCaptureSlider setValue:]", "\(newValue) is out of range [\(range.lowerBound), \(range.upperBound)]")
            }
            state.withLock { $0.value = nearest(to: newValue) }
        }
    }

    /// Values that the slider marks, in the range's unit; empty at first, kept without effect.
    open var prominentValues: [Float] {
        get { state.withLock { $0.prominent } }
        set { state.withLock { $0.prominent = newValue } }
    }

    /// Format of the value's text; nil is the system's. Kept without effect.
    open var localizedValueFormat: String? {
        get { state.withLock { $0.format } }
        set { state.withLock { $0.format = newValue } }
    }

    /// Name for user interface tests; nil at first.
    open var accessibilityIdentifier: String? {
        get { state.withLock { $0.identifier } }
        set { state.withLock { $0.identifier = newValue } }
    }

    /// Sets the queue and the action to call there when the user moves the slider.
    @preconcurrency
    open func setActionQueue(_ actionQueue: DispatchQueue, action: @escaping @Sendable (Float) -> Void) {
        state.withLock { ($0.queue, $0.action) = (actionQueue, action) }
    }

    private func nearest(to value: Float) -> Float {
        switch allowed {
        case .all: return value
        case .values(let values): return values.min { abs($0 - value) < abs($1 - value) } ?? value
        case .steps(let step):
            // The last step is reached where rounding leaves it just above the range.
            let (length, last) = (value - range.lowerBound, ((range.upperBound - range.lowerBound) / step + 1e-4).rounded(.down))
            return range.lowerBound + min((length / step).rounded(), last) * step
        }
    }

    func userMoved(to value: Float) {
        self.value = min(max(value, range.lowerBound), range.upperBound)
        let (value, queue, action) = state.withLock { ($0.value, $0.queue, $0.action) }
        guard let queue, let action else { return }
        queue.async { action(value) }
    }
}

/// Choice among numbered options.
open class AVCaptureIndexPicker: AVCaptureControl, @unchecked Sendable {
    /// Title to show to people.
    public let localizedTitle: String
    /// Name of the symbol to show.
    public let symbolName: String
    /// Number of options.
    public let numberOfIndexes: Int
    private let titles: @Sendable (Int) -> String
    private let state = Mutex(State())

    private struct State: Sendable {
        var index = 0
        var queue: DispatchQueue?
        var action: (@Sendable (Int) -> Void)?
        var identifier: String?
    }

    /// Makes a choice of `numberOfIndexes` options with computed titles; without a transform, 1, 2, 3, ….
    @preconcurrency
    public init(
        _ localizedTitle: String, symbolName: String, numberOfIndexes: Int,
        localizedTitleTransform: @escaping @Sendable (Int) -> String = { "\($0 + 1)" }
    ) {
        (self.localizedTitle, self.symbolName, self.numberOfIndexes) = (localizedTitle, symbolName, numberOfIndexes)
        titles = localizedTitleTransform
    }

    /// Makes a choice with one option per title.
    public convenience init(_ localizedTitle: String, symbolName: String, localizedIndexTitles: [String]) {
        self.init(localizedTitle, symbolName: symbolName, numberOfIndexes: localizedIndexTitles.count) { localizedIndexTitles[$0] }
    }

    /// Titles of the options, in order.
    open var localizedIndexTitles: [String] { (0..<numberOfIndexes).map(titles) }

    /// Index of the chosen option, from 0 (at first); setting it calls no action. Raises out of range.
    open var selectedIndex: Int {
        get { state.withLock { $0.index } }
        set {
            guard (0..<numberOfIndexes).contains(newValue) else {
                return environment.raise(
                    .range, "-[AVCaptureIndexPicker setSelectedIndex:]", "\(newValue) is not one of \(numberOfIndexes) indexes")
            }
            state.withLock { $0.index = newValue }
        }
    }

    /// Name for user interface tests; nil at first.
    open var accessibilityIdentifier: String? {
        get { state.withLock { $0.identifier } }
        set { state.withLock { $0.identifier = newValue } }
    }

    /// Sets the queue and the action to call there when the user chooses.
    @preconcurrency
    open func setActionQueue(_ actionQueue: DispatchQueue, action: @escaping @Sendable (Int) -> Void) {
        state.withLock { ($0.queue, $0.action) = (actionQueue, action) }
    }

    func userChose(_ index: Int) {
        guard (0..<numberOfIndexes).contains(index) else { return }
        selectedIndex = index
        let (queue, action) = state.withLock { ($0.queue, $0.action) }
        guard let queue, let action else { return }
        queue.async { action(index) }
    }
}

/// Slider that zooms a device within its available range.
open class AVCaptureSystemZoomSlider: AVCaptureControl, @unchecked Sendable {
    let device: AVCaptureDevice
    private let action: (@Sendable (CGFloat) -> Void)?

    /// Makes a zoom slider without an action.
    public init(device: AVCaptureDevice) { (self.device, action) = (device, nil) }
    /// Makes a zoom slider; the action is called on the main queue, after the zoom.
    @preconcurrency
    public init(device: AVCaptureDevice, action: @escaping @Sendable (CGFloat) -> Void) { (self.device, self.action) = (device, action) }

    func userMoved(to factor: CGFloat) {
        let new = min(max(factor, device.minAvailableVideoZoomFactor), device.maxAvailableVideoZoomFactor)
        device.change { ($0.zoom, $0.controls.ramp) = (new, nil) }
        if let action { DispatchQueue.main.async { action(new) } }
    }
}

/// Slider of the bias of automatic exposure, in EV.
open class AVCaptureSystemExposureBiasSlider: AVCaptureControl, @unchecked Sendable {
    let device: AVCaptureDevice
    private let action: (@Sendable (Float) -> Void)?

    /// Makes an exposure slider without an action.
    public init(device: AVCaptureDevice) { (self.device, action) = (device, nil) }
    /// Makes an exposure slider; the action is called on the main queue, after the change.
    @preconcurrency
    public init(device: AVCaptureDevice, action: @escaping @Sendable (Float) -> Void) { (self.device, self.action) = (device, action) }

    func userMoved(to bias: Float) {
        let new = min(max(bias, device.minExposureTargetBias), device.maxExposureTargetBias)
        device.change { $0.controls.bias = new }
        if let action { DispatchQueue.main.async { action(new) } }
    }
}
