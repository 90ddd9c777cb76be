import Foundation
import Synchronization

/// Receiver of the accelerometer's measurements.
public typealias CMAccelerometerHandler = (CMAccelerometerData?, (any Error)?) -> Void
/// Receiver of the gyroscope's measurements.
public typealias CMGyroHandler = (CMGyroData?, (any Error)?) -> Void
/// Receiver of all sensors' measurements.
public typealias CMDeviceMotionHandler = (CMDeviceMotion?, (any Error)?) -> Void

/// Giver of the sensors' measurements: those that a test plays by the `MotionConditions` bound where the manager is made. Without any the phone has
/// none: nothing is available, and updates never come.
open class CMMotionManager: NSObject, @unchecked Sendable {
    /// One kind of measurement: whether it is on, and who gets it.
    private struct Updates<Value: Sendable>: Sendable {
        var interval: TimeInterval = 0.01
        var isActive = false
        var latest: Value?
        var receiver: Receiver<Value>?

        /// Begins with a first measurement.
        mutating func begin(_ receiver: Receiver<Value>?, with value: Value) {
            isActive = true
            latest = value
            self.receiver = receiver
        }

        /// Keeps a measurement that is on; returns who gets it.
        mutating func take(_ value: Value) -> Receiver<Value>? {
            guard isActive else { return nil }
            latest = value
            return receiver
        }

        mutating func stop() {
            isActive = false
            receiver = nil
        }
    }

    /// Handler with the queue that calls it.
    private struct Receiver<Value: Sendable>: @unchecked Sendable {
        let queue: OperationQueue
        let handler: (Value?, (any Error)?) -> Void

        func give(_ value: Value) { queue.addOperation { handler(value, nil) } }
    }

    private struct State: Sendable {
        var acceleration = Updates<CMAccelerometerData>()
        var rotation = Updates<CMGyroData>()
        var motion = Updates<CMDeviceMotion>()
        var frame = CMAttitudeReferenceFrame.xArbitraryZVertical
        var showsMovementDisplay = false
    }

    private let conditions: MotionConditions?
    private let state = Mutex(State())

    /// Makes a manager of the conditions bound now.
    public override init() {
        conditions = MotionConditions.scoped
        super.init()
        conditions?.add(self)
    }

    private var isThere: Bool { conditions != nil }

    /// Hands a measurement on to whoever gets it.
    func measured(_ sample: MotionConditions.Sample) {
        let acceleration = CMAccelerometerData(sample)
        let rotation = CMGyroData(sample)
        let motion = CMDeviceMotion(sample)
        let (first, second, third) = state.withLock { ($0.acceleration.take(acceleration), $0.rotation.take(rotation), $0.motion.take(motion)) }
        first?.give(acceleration)
        second?.give(rotation)
        third?.give(motion)
    }

    /// Begins one kind of measurement, with that of now; without sensors it never begins.
    private func start<Value>(
        _ updates: WritableKeyPath<State, Updates<Value>>, _ receiver: Receiver<Value>?, _ measurement: (MotionConditions.Sample) -> Value
    ) {
        guard let sample = conditions?.sample else { return }
        let value = measurement(sample)
        state.withLock { $0[keyPath: updates].begin(receiver, with: value) }
        receiver?.give(value)
    }

    // MARK: Accelerometer

    /// Whether there is an accelerometer.
    open var isAccelerometerAvailable: Bool { isThere }
    /// Whether the accelerometer is read.
    open var isAccelerometerActive: Bool { state.withLock { $0.acceleration.isActive } }
    /// Seconds between measurements; kept: a test's steps are the measurements.
    open var accelerometerUpdateInterval: TimeInterval {
        get { state.withLock { $0.acceleration.interval } }
        set { state.withLock { $0.acceleration.interval = newValue } }
    }
    /// Last measurement; nil before the first.
    open var accelerometerData: CMAccelerometerData? { state.withLock { $0.acceleration.latest } }
    /// Begins to read the accelerometer, for `accelerometerData`.
    open func startAccelerometerUpdates() { start(\.acceleration, nil, CMAccelerometerData.init) }
    /// Begins to read the accelerometer, for a handler.
    open func startAccelerometerUpdates(to queue: OperationQueue, withHandler handler: @escaping CMAccelerometerHandler) {
        start(\.acceleration, Receiver(queue: queue, handler: handler), CMAccelerometerData.init)
    }
    /// Ends reading the accelerometer.
    open func stopAccelerometerUpdates() { state.withLock { $0.acceleration.stop() } }

    // MARK: Gyroscope

    /// Whether there is a gyroscope.
    open var isGyroAvailable: Bool { isThere }
    /// Whether the gyroscope is read.
    open var isGyroActive: Bool { state.withLock { $0.rotation.isActive } }
    /// Seconds between measurements; kept.
    open var gyroUpdateInterval: TimeInterval {
        get { state.withLock { $0.rotation.interval } }
        set { state.withLock { $0.rotation.interval = newValue } }
    }
    /// Last measurement; nil before the first.
    open var gyroData: CMGyroData? { state.withLock { $0.rotation.latest } }
    /// Begins to read the gyroscope, for `gyroData`.
    open func startGyroUpdates() { start(\.rotation, nil, CMGyroData.init) }
    /// Begins to read the gyroscope, for a handler.
    open func startGyroUpdates(to queue: OperationQueue, withHandler handler: @escaping CMGyroHandler) {
        start(\.rotation, Receiver(queue: queue, handler: handler), CMGyroData.init)
    }
    /// Ends reading the gyroscope.
    open func stopGyroUpdates() { state.withLock { $0.rotation.stop() } }

    // MARK: All sensors together

    /// Whether there are the sensors that tell how the phone is held.
    open var isDeviceMotionAvailable: Bool { isThere }
    /// Whether they are read.
    open var isDeviceMotionActive: Bool { state.withLock { $0.motion.isActive } }
    /// Seconds between measurements; kept.
    open var deviceMotionUpdateInterval: TimeInterval {
        get { state.withLock { $0.motion.interval } }
        set { state.withLock { $0.motion.interval = newValue } }
    }
    /// Last measurement; nil before the first.
    open var deviceMotion: CMDeviceMotion? { state.withLock { $0.motion.latest } }
    /// Reference of attitudes, as updates were begun with; kept, since nothing here points to north.
    open var attitudeReferenceFrame: CMAttitudeReferenceFrame { state.withLock { $0.frame } }
    /// References that there are: those without north.
    open class func availableAttitudeReferenceFrames() -> CMAttitudeReferenceFrame {
        MotionConditions.scoped == nil ? [] : [.xArbitraryZVertical, .xArbitraryCorrectedZVertical]
    }
    /// Whether the system asks the user to move the phone where the compass needs it; kept.
    open var showsDeviceMovementDisplay: Bool {
        get { state.withLock { $0.showsMovementDisplay } }
        set { state.withLock { $0.showsMovementDisplay = newValue } }
    }
    /// Begins to read the sensors, for `deviceMotion`.
    open func startDeviceMotionUpdates() { startMotion(.xArbitraryZVertical, nil) }
    /// Begins to read the sensors, for a handler.
    open func startDeviceMotionUpdates(to queue: OperationQueue, withHandler handler: @escaping CMDeviceMotionHandler) {
        startMotion(.xArbitraryZVertical, Receiver(queue: queue, handler: handler))
    }
    /// Begins to read the sensors against a reference, for `deviceMotion`.
    open func startDeviceMotionUpdates(using referenceFrame: CMAttitudeReferenceFrame) { startMotion(referenceFrame, nil) }
    /// Begins to read the sensors against a reference, for a handler.
    open func startDeviceMotionUpdates(
        using referenceFrame: CMAttitudeReferenceFrame, to queue: OperationQueue, withHandler handler: @escaping CMDeviceMotionHandler
    ) {
        startMotion(referenceFrame, Receiver(queue: queue, handler: handler))
    }
    /// Ends reading the sensors.
    open func stopDeviceMotionUpdates() { state.withLock { $0.motion.stop() } }

    private func startMotion(_ frame: CMAttitudeReferenceFrame, _ receiver: Receiver<CMDeviceMotion>?) {
        if isThere { state.withLock { $0.frame = frame } }
        start(\.motion, receiver, CMDeviceMotion.init)
    }
}
