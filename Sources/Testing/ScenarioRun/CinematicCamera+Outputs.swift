import CameraApp
import ScenarioFormat

extension CinematicCamera: TouchTarget {}

extension Set<CinematicCamera.Output> {
    /// Outputs that a scenario's session names, without metadata and preview, which are always there.
    package init(_ outputs: [ScenarioFile.Output]) {
        self.init(
            outputs.compactMap { output -> CinematicCamera.Output? in
                switch output {
                case .video: .video
                case .movie: .movie
                case .photo: .photo
                case .metadata, .preview: nil
                }
            })
    }
}
