import AVFCapture
import Foundation
import ScenarioFormat

/// Connections of scripted touches and calls with an app.
public struct TouchConnections: Sendable {
    /// Receiver of the touches.
    public var target: any TouchTarget
    /// Conversion of a box of the picture (0…1, origin top left) to the layer's points: the preview layer's
    /// `layerRectConverted(fromMetadataOutputRect:)`.
    public var layerRect: @Sendable (CGRect) -> CGRect
    /// Sets the simulated f-number.
    public var setAperture: @Sendable (Double) throws -> Void
    /// Session on whose camera the other verbs are played; nil for an app that is only touched.
    package var session: (@Sendable () -> AVCaptureSession?)?
    /// Lets the app act; nil likewise.
    package var perform: (@Sendable (AppAction) throws -> Void)?
    /// Player of faults around the camera; nil where none can be played.
    public var faults: (@Sendable (Fault) -> Void)?

    /// Creates connections without a player of faults.
    public init(
        target: any TouchTarget, layerRect: @escaping @Sendable (CGRect) -> CGRect, setAperture: @escaping @Sendable (Double) throws -> Void
    ) {
        self.target = target
        self.layerRect = layerRect
        self.setAperture = setAperture
    }
}

extension TouchConnections {
    /// Connects touches with an app's preview layer.
    public init(target: any TouchTarget, layer: AVCaptureVideoPreviewLayer, setAperture: @escaping @Sendable (Double) throws -> Void) {
        self.init(target: target, layerRect: { layer.layerRectConverted(fromMetadataOutputRect: $0) }, setAperture: setAperture)
    }
}
