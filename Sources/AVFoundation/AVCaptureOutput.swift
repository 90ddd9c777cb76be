import Foundation
import Synchronization

/// What takes media out of a session.
public class AVCaptureOutput: NSObject, @unchecked Sendable {
    let environment: CaptureEnvironment
    private struct State: Sendable {
        weak var session: AVCaptureSession?
        weak var synchronizer: AVCaptureDataOutputSynchronizer?
        /// Nil: as the kind of output does.
        var defersStart: Bool?
    }

    private let state = Mutex(State())

    init(environment: CaptureEnvironment) { self.environment = environment }

    var session: AVCaptureSession? { state.withLock { $0.session } }
    func join(_ session: AVCaptureSession?) { state.withLock { $0.session = session } }

    /// Who takes this output's data in place of its delegate; nil while the synchronizer has no delegate.
    var synchronizer: AVCaptureDataOutputSynchronizer? {
        get { state.withLock { $0.synchronizer } }
        set { state.withLock { $0.synchronizer = newValue } }
    }

    var defersStart: Bool? {
        get { state.withLock { $0.defersStart } }
        set { state.withLock { $0.defersStart = newValue } }
    }

    /// The media this output takes.
    var mediaType: AVMediaType { .video }
    func takes(_ mediaType: AVMediaType) -> Bool { mediaType == self.mediaType }

    /// Frames are about to come: a session starts, or goes on with another camera or format.
    func streamWillBegin(isSwitch: Bool) {}

    /// None until the output is in a session.
    public var connections: [AVCaptureConnection] { session?.connections.filter { $0.output === self } ?? [] }

    /// The first connection whose port carries `mediaType`.
    public func connection(with mediaType: AVMediaType) -> AVCaptureConnection? {
        connections.first { $0.inputPorts.contains { $0.mediaType == mediaType } }
    }

    /// The picture's way into the buffers of this output, in pixels of the delivered buffer.
    private var geometry: PictureGeometry? { connections.lazy.compactMap { PictureGeometry(connection: $0) }.first }

    /// From pixels of the delivered buffer to 0…1 of the unrotated picture.
    public func metadataOutputRectConverted(fromOutputRect rectInOutputCoordinates: CGRect) -> CGRect {
        geometry?.deviceRect(fromLayer: rectInOutputCoordinates) ?? rectInOutputCoordinates
    }

    /// From 0…1 of the unrotated picture to pixels of the delivered buffer.
    public func outputRectConverted(fromMetadataOutputRect rectInMetadataOutputCoordinates: CGRect) -> CGRect {
        geometry?.layerRect(fromDevice: rectInMetadataOutputCoordinates) ?? rectInMetadataOutputCoordinates
    }

    /// The object in pixels of the buffer that `connection` delivers, its angles turned along; nil for another output's connection.
    public func transformedMetadataObject(for metadataObject: AVMetadataObject, connection: AVCaptureConnection) -> AVMetadataObject? {
        guard connections.contains(where: { $0 === connection }) else { return nil }
        return PictureGeometry(connection: connection).map { metadataObject.transformed(by: $0) }
    }

    /// Why a frame was not delivered.
    public enum DataDroppedReason: Int, Sendable {
        case none = 0
        case lateData = 1
        case outOfBuffers = 2
        case discontinuity = 3
    }
}
