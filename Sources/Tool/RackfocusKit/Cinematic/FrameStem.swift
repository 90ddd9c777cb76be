import CoreVideo
import Foundation
import Optics
import Pipeline

/// Lens and focus of one frame beside its stems, as JSON.
struct FrameStem: Encodable {
    /// Names of the frame's files.
    struct Files: Encodable {
        let picture: String
        let disparity: String
        let coc: String
        let matte: String
        let lens: String

        /// Names of a frame by its number, from 1.
        init(number: Int) {
            func name(_ stem: String, _ type: String) -> String { String(format: "%@.%04d.%@", stem, number, type) }
            (picture, disparity, coc) = (name("picture", "png"), name("disparity", "exr"), name("coc", "exr"))
            (matte, lens) = (name("matte", "png"), name("lens", "json"))
        }
    }

    /// Subject in focus, as it was detected.
    struct Subject: Encodable {
        let id: Int
        let kind: String
        let label: String?
        /// Left, top, width and height, 0…1 of the picture, origin top left.
        let bounds: [Double]
        /// Disparity of the subject; nil where it was not measured.
        let disparity: Double?
    }

    /// Version of this format.
    let format = 1
    let frame: Int
    let seconds: Double
    let timecode: String
    /// Frames per second as people write them.
    let rate: String
    /// Width and height in pixels.
    let picture: [Int]
    let map: [Int]
    /// Whether disparity is in 1/m.
    let isMetric: Bool
    /// Full-frame-equivalent focal length, mm.
    let focalLength: Double
    let fNumber: Double
    /// Width of the whole sensor, 36 mm of full frame, in pixels of the picture.
    let sensorWidth: Int
    let focusDisparity: Double
    /// Metres; nil at infinity, and where the unit of disparity is unknown.
    let focusDistance: Double?
    /// Diameter of the circle of confusion in pixels of the picture for one unit of disparity: `coc` is this times (focusDisparity - disparity).
    let circlePerDisparity: Double
    /// Hold of focus: none, weak or strong.
    let mode: String
    /// Whether a distance is held.
    let isFixed: Bool
    /// Whether focus moves from one subject to another.
    let isRacking: Bool
    let subject: Subject?
    let notEnoughLight: Bool
    let files: Files

    init(
        _ frame: Frame, _ map: DisparityMap, _ sample: CinematicSample, number: Int, at time: CinematicReport.Moment, rate: String, _ files: Files
    ) {
        (self.frame, seconds, timecode, self.rate) = (number, time.seconds, time.timecode, rate)
        (picture, self.map) = ([frame.picture.size.width, frame.picture.size.height], [map.width, map.height])
        isMetric = sample.disparity.isMetric
        (focalLength, fNumber, sensorWidth) = (sample.lens.focalLength, sample.lens.fNumber, sample.sensorWidth)
        focusDisparity = sample.focus.focusDisparity
        focusDistance = isMetric && focusDisparity > 0.0001 ? 1 / focusDisparity : nil
        circlePerDisparity = sample.circle.diameterPerDisparity
        (mode, isFixed, isRacking) = ("\(sample.focus.mode)", sample.focus.isFixed, sample.focus.rack != nil)
        subject = sample.subject.map { found in
            let box = found.bounds
            return Subject(
                id: found.objectID, kind: found.kind.rawValue, label: found.label,
                bounds: [box.minX, box.minY, box.width, box.height].map(Double.init), disparity: found.disparity)
        }
        notEnoughLight = sample.notEnoughLight
        self.files = files
    }
}
