import CoreMotion
import Synchronization
import Testing

@Suite("A motion manager")
struct MotionTests {
    private func held(_ x: Double, _ y: Double, _ z: Double) -> CMAttitude? {
        let conditions = MotionConditions()
        let manager = MotionConditions.$scoped.withValue(conditions) { CMMotionManager() }
        conditions.hold(gravity: CMAcceleration(x: x, y: y, z: z))
        manager.startDeviceMotionUpdates()
        return manager.deviceMotion?.attitude
    }

    @Test("has no sensors without a test")
    func absence() {
        let manager = CMMotionManager()
        manager.startAccelerometerUpdates()
        manager.startDeviceMotionUpdates(to: OperationQueue()) { _, _ in Issue.record("no measurement was played") }
        #expect(!manager.isAccelerometerAvailable && !manager.isGyroAvailable && !manager.isDeviceMotionAvailable)
        #expect(!manager.isAccelerometerActive && !manager.isDeviceMotionActive && manager.accelerometerData == nil)
        #expect(CMMotionManager.availableAttitudeReferenceFrames().isEmpty)
    }

    @Test("hands each step to the app's queue until it is stopped, and keeps the last")
    func steps() {
        let conditions = MotionConditions()
        let manager = MotionConditions.$scoped.withValue(conditions) { CMMotionManager() }
        let queue = OperationQueue()
        let heard = Mutex<[Double]>([])
        queue.maxConcurrentOperationCount = 1
        manager.accelerometerUpdateInterval = 0.2
        manager.startAccelerometerUpdates(to: queue) { data, _ in heard.withLock { $0.append(data?.acceleration.x ?? .nan) } }
        manager.startGyroUpdates()
        conditions.hold(
            gravity: CMAcceleration(x: -2, y: 0, z: 0), userAcceleration: CMAcceleration(x: 0.25, y: 0, z: 0),
            rotationRate: CMRotationRate(x: 0, y: 0, z: 1), at: 12)
        manager.stopAccelerometerUpdates()
        conditions.hold(gravity: CMAcceleration(x: 1, y: 0, z: 0), at: 13)
        queue.waitUntilAllOperationsAreFinished()
        #expect(heard.withLock { $0 } == [0, -0.75] && manager.accelerometerUpdateInterval == 0.2)
        #expect(manager.accelerometerData?.timestamp == 12 && !manager.isAccelerometerActive)
        #expect(manager.gyroData?.timestamp == 13 && manager.gyroData?.rotationRate.z == 0 && manager.isGyroActive)
        #expect(manager.deviceMotion == nil)
    }

    struct Case: Sendable {
        let gravity: SIMD3<Double>
        /// Nil where any is right.
        let roll: Double?
        let pitch: Double
    }

    private static let cases: [Case] = [
        Case(gravity: SIMD3(0, 0, -1), roll: 0, pitch: 0), Case(gravity: SIMD3(0, -1, 0), roll: nil, pitch: .pi / 2),
        Case(gravity: SIMD3(-1, 0, 0), roll: -.pi / 2, pitch: 0), Case(gravity: SIMD3(1, 0, 0), roll: .pi / 2, pitch: 0),
        Case(gravity: SIMD3(0, 1, 0), roll: nil, pitch: -.pi / 2), Case(gravity: SIMD3(0, -0.6, -0.8), roll: 0, pitch: 0.6435),
        Case(gravity: SIMD3(-0.6, 0, -0.8), roll: -0.6435, pitch: 0), Case(gravity: SIMD3(-0.48, -0.6, -0.64), roll: -0.6435, pitch: 0.6435),
    ]

    @Test("tells how the phone is held", arguments: cases)
    func attitudes(_ example: Case) throws {
        let (x, y, z) = (example.gravity.x, example.gravity.y, example.gravity.z)
        let attitude = try #require(held(x, y, z))
        #expect(abs(attitude.pitch - example.pitch) < 1e-4)
        if let roll = example.roll { #expect(abs(attitude.roll - roll) < 1e-4 && abs(attitude.yaw) < 1e-9) }
        // Gravity is the reference's -z: the matrix turns it into the phone's axes.
        let matrix = attitude.rotationMatrix
        #expect(abs(-matrix.m13 - x) < 1e-9 && abs(-matrix.m23 - y) < 1e-9 && abs(-matrix.m33 - z) < 1e-9)
    }

    @Test("compares attitudes")
    func comparison() throws {
        let upright = try #require(held(0, -1, 0))
        let leaning = try #require(held(0, -0.6, -0.8))
        let change = try #require(leaning.copy() as? CMAttitude)
        change.multiply(byInverseOf: upright)
        #expect(abs(change.pitch - (0.6435 - .pi / 2)) < 1e-4 && abs(change.roll) < 1e-9)
        #expect(abs(leaning.pitch - 0.6435) < 1e-4)
    }
}
