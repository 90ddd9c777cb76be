import AVFCapture
import RunReport
import ScenarioFormat

/// Checks of single frames' pictures, once the logic of a run is over: this module renders nothing itself.
public protocol PictureChecks: Sendable {
    /// `records` by the times of `ScenarioFile.pictureTimes`; a time after the last frame has none.
    func look(at records: [Int64: FrameRecord]) throws -> PictureReport
}
