import Foundation
import Optics
import Pipeline

/// View and lens of the camera for one frame of its source.
struct FrameLens {
    let view: PictureView
    /// Full-frame-equivalent focal length in mm; zoom makes it longer.
    let focalLength: Double
    /// Pinhole of the delivered picture.
    let pinhole: Pinhole
    /// Width in pixels of a whole sensor: a crop for the shape alone leaves the lens what it is.
    private let sensorWidth: Int

    /// Takes the lens from the source where that knows it, else from the camera and its zoom.
    init(of device: AVCaptureDevice, zoom: CGFloat, source: SourceDescription, picture: PictureSize, size: PictureSize) {
        // Pictures that the source's own lens brings nearer come as they are: their distances are guessed by the one focal length of plain video.
        let zoom = device.profile.hardware.zoomsLens ? 1 : Double(zoom)
        let magnification = max(zoom / device.wholeZoom, 1)
        view = PictureView(of: picture, as: size, magnification: magnification)
        focalLength = source.focalLength.map { $0 * magnification } ?? device.profile.focalLength * zoom
        pinhole = Pinhole(focalLength: (source.focalLength ?? device.profile.focalLength * device.wholeZoom) / view.part.width)
        sensorWidth = Int((Double(size.width) / (view.part.width * magnification)).rounded())
    }

    /// Blur of this lens at an f-number, focused at a disparity (1/m).
    func blur(_ disparity: DisparityMap, fNumber: Double, focus: Double) -> DecidedFrame.Blur {
        let lens = Lens(focalLength: focalLength, fNumber: fNumber)
        return DecidedFrame.Blur(
            disparity: disparity, circle: lens.circleOfConfusion(focusDisparity: focus, pictureWidth: sensorWidth), lens: lens,
            sensorWidth: sensorWidth)
    }
}
