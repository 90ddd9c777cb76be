import Foundation
import Optics
import Pipeline

/// How the camera looks at one frame of its source: through which view, and with what lens.
struct FrameLens {
    let view: PictureView
    /// Full-frame-equivalent, in mm; zoom makes it longer.
    let focalLength: Double
    /// Behind the delivered picture.
    let pinhole: Pinhole
    /// Pixels that a whole sensor would have: a cut for the shape alone leaves the lens what it is.
    private let sensorWidth: Int

    /// The source knows its lens, or the camera and its zoom say it.
    init(of device: AVCaptureDevice, zoom: CGFloat, source: SourceDescription, picture: PictureSize, size: PictureSize) {
        let zoom = Double(zoom)
        let magnification = max(zoom / device.wholeZoom, 1)
        view = PictureView(of: picture, as: size, magnification: magnification)
        focalLength = source.focalLength.map { $0 * magnification } ?? device.profile.focalLength * zoom
        pinhole = Pinhole(focalLength: (source.focalLength ?? device.profile.focalLength * device.wholeZoom) / view.part.width)
        sensorWidth = Int((Double(size.width) / (view.part.width * magnification)).rounded())
    }

    /// The blur of this lens at an f-number, focused at a disparity.
    func blur(_ disparity: DisparityMap, fNumber: Double, focus: Double) -> DecidedFrame.Blur {
        let lens = Lens(focalLength: focalLength, fNumber: fNumber)
        return DecidedFrame.Blur(
            disparity: disparity, circle: lens.circleOfConfusion(focusDisparity: focus, pictureWidth: sensorWidth), lens: lens)
    }
}
