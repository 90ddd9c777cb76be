import Foundation

/// Map between device space (0…1, origin top left, unrotated picture) and a layer: rotate, mirror, fit.
struct PictureGeometry: Equatable {
    /// Size of the unrotated picture in pixels.
    var pictureSize: CGSize
    /// Rotation in clockwise degrees: 0, 90, 180 or 270.
    var rotation: Int
    /// Whether left and right change places, after the rotation.
    var isMirrored: Bool
    var gravity: AVLayerVideoGravity
    var layerSize: CGSize

    var rotatedSize: CGSize {
        rotation % 180 == 0 ? pictureSize : CGSize(width: pictureSize.height, height: pictureSize.width)
    }

    /// Rectangle of the picture in the layer.
    private var frame: CGRect {
        let (width, height) = (rotatedSize.width, rotatedSize.height)
        let (across, down) = (layerSize.width / width, layerSize.height / height)
        let scale: (x: CGFloat, y: CGFloat)
        switch gravity {
        case .resize: scale = (across, down)
        case .resizeAspectFill: scale = (max(across, down), max(across, down))
        default: scale = (min(across, down), min(across, down))
        }
        let size = CGSize(width: width * scale.x, height: height * scale.y)
        return CGRect(
            x: (layerSize.width - size.width) / 2, y: (layerSize.height - size.height) / 2, width: size.width, height: size.height)
    }

    func layerPoint(fromDevice point: CGPoint) -> CGPoint {
        var (u, v) = (point.x, point.y)
        switch rotation {
        case 90: (u, v) = (1 - point.y, point.x)
        case 180: (u, v) = (1 - point.x, 1 - point.y)
        case 270: (u, v) = (point.y, 1 - point.x)
        default: break
        }
        if isMirrored { u = 1 - u }
        let frame = frame
        return CGPoint(x: frame.minX + u * frame.width, y: frame.minY + v * frame.height)
    }

    /// Returns the point in device space; outside 0…1 for a point beside the picture.
    func devicePoint(fromLayer point: CGPoint) -> CGPoint {
        let frame = frame
        var u = (point.x - frame.minX) / frame.width
        let v = (point.y - frame.minY) / frame.height
        if isMirrored { u = 1 - u }
        switch rotation {
        case 90: return CGPoint(x: v, y: 1 - u)
        case 180: return CGPoint(x: 1 - u, y: 1 - v)
        case 270: return CGPoint(x: 1 - v, y: u)
        default: return CGPoint(x: u, y: v)
        }
    }

    func layerRect(fromDevice rect: CGRect) -> CGRect { Self.convert(rect, layerPoint(fromDevice:)) }
    func deviceRect(fromLayer rect: CGRect) -> CGRect { Self.convert(rect, devicePoint(fromLayer:)) }

    /// Converts two opposite corners and puts them in order; an empty rectangle keeps its place.
    private static func convert(_ rect: CGRect, _ point: (CGPoint) -> CGPoint) -> CGRect {
        let a = point(CGPoint(x: rect.minX, y: rect.minY))
        let b = point(CGPoint(x: rect.maxX, y: rect.maxY))
        return CGRect(x: min(a.x, b.x), y: min(a.y, b.y), width: abs(a.x - b.x), height: abs(a.y - b.y))
    }
}

extension PictureGeometry {
    /// Makes the geometry of a connection's picture in a layer; by default in a layer of the rotated picture's own size.
    init?(connection: AVCaptureConnection, gravity: AVLayerVideoGravity = .resize, layerSize: CGSize? = nil) {
        guard let device = connection.inputPorts.first?.device, device.hasMediaType(.video) else { return nil }
        let dimensions = device.activeFormat.formatDescription.dimensions
        self.init(
            pictureSize: CGSize(width: Double(dimensions.width), height: Double(dimensions.height)),
            rotation: Int(connection.videoRotationAngle), isMirrored: connection.isVideoMirrored, gravity: gravity, layerSize: .zero)
        self.layerSize = layerSize ?? rotatedSize
    }
}
