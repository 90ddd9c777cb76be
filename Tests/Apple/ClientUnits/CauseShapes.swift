import AVFoundation

// Cause 4: classes that apps derive from, protocols that Apple's classes are witnesses of, identity of buffers.

/// Session that remembers how often it was started.
open class CountedSession: AVCaptureSession, @unchecked Sendable {
    public private(set) var starts = 0

    open override func startRunning() {
        starts += 1
        super.startRunning()
    }

    open override func canAddOutput(_ output: AVCaptureOutput) -> Bool { !(output is AVCaptureAudioDataOutput) && super.canAddOutput(output) }
}

/// Camera of an app's previews.
open class PretendCamera: AVCaptureDevice, @unchecked Sendable {
    open override var localizedName: String { "Pretend" }
    open override var position: AVCaptureDevice.Position { .front }
    open override var formats: [AVCaptureDevice.Format] { [] }
    open override var hasTorch: Bool { false }
    open override var isFocusPointOfInterestSupported: Bool { false }
    open override func lockForConfiguration() throws { throw AVError(.deviceNotConnected) }
}

/// Camera as an app sees it, so that its previews can do without one.
public protocol ExposableCamera: AnyObject {
    var minExposureTargetBias: Float { get }
    var maxExposureTargetBias: Float { get }
    func lockForConfiguration() throws
    func unlockForConfiguration()
    func setExposureTargetBias(_ bias: Float, completionHandler handler: ((CMTime) -> Void)?)
    func setExposureModeCustom(duration: CMTime, iso ISO: Float, completionHandler handler: ((CMTime) -> Void)?)
}

extension AVCaptureDevice: ExposableCamera {}

public enum Shapes {
    /// Position of the camera behind a connection.
    public static func position(of connection: AVCaptureConnection) -> AVCaptureDevice.Position? {
        (connection.inputPorts.first?.input as? AVCaptureDeviceInput)?.device.position
    }

    /// Runs work in order after what is there, as closures of a dispatch queue.
    public static func inOrder(_ count: Int) -> [Int] {
        let queue = DispatchSerialQueue(label: "unit.order")
        nonisolated(unsafe) var done: [Int] = []
        for index in 0..<count { queue.async { done.append(index) } }
        return queue.sync { done }
    }

    public static func isSame(_ first: CMSampleBuffer, _ second: CMSampleBuffer) -> Bool { first == second }
}
