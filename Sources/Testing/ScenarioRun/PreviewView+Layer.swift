import AVFCapture
import Foundation
import ScenarioFormat

extension ScenarioFile.PreviewView {
    /// Gives a preview layer this size, gravity, rotation and mirroring; after the layer has its connection.
    public func configure(_ layer: AVCaptureVideoPreviewLayer) {
        layer.bounds = CGRect(origin: .zero, size: size)
        switch gravity {
        case .fill: layer.videoGravity = .resizeAspectFill
        case .fit: layer.videoGravity = .resizeAspect
        case .resize: layer.videoGravity = .resize
        }
        guard let connection = layer.connection else { return }
        connection.videoRotationAngle = CGFloat(rotation)
        guard let isMirrored else { return }
        connection.automaticallyAdjustsVideoMirroring = false
        connection.isVideoMirrored = isMirrored
    }
}
