import CoreVideo
import Foundation
import Synchronization

/// Receiver of a session's media.
open class AVCaptureOutput: _SendableObject, @unchecked Sendable {
    private let binding = EnvironmentBinding()
    private struct State: Sendable {
        weak var session: AVCaptureSession?
        weak var synchronizer: AVCaptureDataOutputSynchronizer?
        /// Nil: as the kind of output does.
        var defersStart: Bool?
    }

    private let state = Mutex(State())

    override init() {}

    var environment: CaptureEnvironment { binding.environment() }

    var session: AVCaptureSession? { state.withLock { $0.session } }
    func join(_ session: AVCaptureSession?) { state.withLock { $0.session = session } }

    /// Synchronizer that takes this output's data in place of its delegate; nil while it has no delegate.
    var synchronizer: AVCaptureDataOutputSynchronizer? {
        get { state.withLock { $0.synchronizer } }
        set { state.withLock { $0.synchronizer = newValue } }
    }

    var defersStart: Bool? {
        get { state.withLock { $0.defersStart } }
        set { state.withLock { $0.defersStart = newValue } }
    }

    /// Kind of media that this output takes.
    var mediaType: AVMediaType { .video }
    func takes(_ port: AVCaptureInput.Port) -> Bool { port.mediaType == mediaType }
    /// Whether the next frame is to come with its depth.
    var wantsDepth: Bool { false }

    /// Follows the start of a session, or its going on with another camera or format.
    func streamWillBegin(isSwitch: Bool) {}

    /// Connections that feed the output; none until it is in a session.
    open var connections: [AVCaptureConnection] { session?.connections.filter { $0.output === self } ?? [] }

    /// Returns the first connection whose port carries `mediaType`; nil without one.
    open func connection(with mediaType: AVMediaType) -> AVCaptureConnection? {
        connections.first { $0.inputPorts.contains { $0.mediaType == mediaType } }
    }

    /// Size in pixels of the rotated buffers that the output delivers through a connection; nil where it is that of the active format.
    func bufferSize(through connection: AVCaptureConnection) -> PictureSize? { nil }

    /// Map from the picture to pixels of the rotated buffer; nil for a connection without a camera.
    private func geometry(_ connection: AVCaptureConnection) -> PictureGeometry? {
        let size = bufferSize(through: connection).map { CGSize(width: $0.width, height: $0.height) }
        return PictureGeometry(connection: connection, layerSize: size)
    }

    private var geometry: PictureGeometry? { connections.lazy.compactMap { self.geometry($0) }.first }

    /// Converts pixels of the rotated buffer as it is delivered to 0…1 of the unrotated picture; unchanged without a connection.
    open func metadataOutputRectConverted(fromOutputRect rectInOutputCoordinates: CGRect) -> CGRect {
        geometry?.deviceRect(fromLayer: rectInOutputCoordinates) ?? rectInOutputCoordinates
    }

    /// Converts 0…1 of the unrotated picture to pixels of the rotated buffer as it is delivered; unchanged without a connection.
    open func outputRectConverted(fromMetadataOutputRect rectInMetadataOutputCoordinates: CGRect) -> CGRect {
        geometry?.layerRect(fromDevice: rectInMetadataOutputCoordinates) ?? rectInMetadataOutputCoordinates
    }

    /// Returns the object in pixels of the buffer as `connection` rotates it and the output delivers it; nil for another output's connection.
    open func transformedMetadataObject(for metadataObject: AVMetadataObject, connection: AVCaptureConnection) -> AVMetadataObject? {
        guard connections.contains(where: { $0 === connection }) else { return nil }
        return geometry(connection).map { metadataObject.transformed(by: $0) }
    }

    /// Reason why a piece of data was not delivered.
    public enum DataDroppedReason: Int, Sendable {
        /// It was delivered.
        case none = 0
        /// The client was still busy with earlier data.
        case lateData = 1
        /// The client holds as many buffers as it may.
        case outOfBuffers = 2
        /// An unknown amount is missing, as after a change of camera or format.
        case discontinuity = 3
    }
}
