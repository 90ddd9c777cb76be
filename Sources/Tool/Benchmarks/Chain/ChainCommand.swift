import Media

/// Command that users run, and ffmpeg's nearest equivalent: decoders, a box blur by a second picture's luma, the same encoder. It finds nobody,
/// pulls no focus and measures no disparity.
enum ChainCommand: String, CaseIterable {
    /// `render SCENARIO`, painted by the stage; ffmpeg paints a test card.
    case demo
    /// `render --left --right`: ffmpeg blurs the left eye by the luma of the right one.
    case stereo
    /// `render --video --depth`, the map a quarter of the picture's size: ffmpeg scales it up.
    case depth
    /// `render --video`: ffmpeg blurs the picture by its own luma.
    case video
    /// `render --video --depth` of ten-bit HLG, written as HEVC: ffmpeg blurs ten bits, too.
    case hdr

    /// Arguments of the tool.
    func arguments(_ footage: ChainFootage, gpu: String?) -> [String] {
        let input =
            switch self {
            case .demo: [footage.scenario]
            case .stereo: ["--left", footage.left, "--right", footage.right]
            case .depth: ["--video", footage.left, "--depth", footage.depth]
            case .video: ["--video", footage.left]
            case .hdr: ["--video", footage.hdr, "--depth", footage.depth]
            }
        return ["render"] + input + ["-o", footage.movie, "--timings", "--force"] + (gpu.map { ["--gpu", $0] } ?? [])
    }

    /// Arguments of ffmpeg.
    func ffmpeg(_ footage: ChainFootage) -> [String] {
        let size = "\(footage.width)x\(footage.height)"
        let (inputs, graph) =
            switch self {
            case .demo: (["-f", "lavfi", "-i", "testsrc2=size=\(size):rate=30,format=yuv420p"], "[0:v]split[a][b];[a][b]varblur=min_r=0")
            case .stereo: (["-i", footage.left, "-i", footage.right], "[0:v][1:v]varblur=min_r=0")
            case .depth:
                (
                    ["-i", footage.left, "-framerate", "30", "-i", footage.depth],
                    "[1:v]scale=\(footage.width):\(footage.height),format=yuv420p[m];[0:v][m]varblur=min_r=0"
                )
            case .video: (["-i", footage.left], "[0:v]split[a][b];[a][b]varblur=min_r=0")
            case .hdr:
                (
                    ["-i", footage.hdr, "-framerate", "30", "-i", footage.depth],
                    "[1:v]scale=\(footage.width):\(footage.height),format=yuv420p10[m];[0:v][m]varblur=min_r=0"
                )
            }
        let factor = DeliveryOptions.rateFactor(ofQuality: DeliveryOptions.defaultQuality)
        let preset = MovieFileWriter.Settings().preset
        let coder =
            self == .hdr
            ? ["libx265", "-preset", preset.ofHEVC.rawValue]
            : ["libx264", "-preset", preset.rawValue] + preset.searches.flatMap { ["-\($0.key)", $0.value] }
        return ["-v", "error", "-nostdin", "-y"] + inputs + ["-filter_complex", graph, "-frames:v", "\(footage.frames)"]
            + ["-c:v"] + coder + ["-crf", "\(factor)", footage.movie]
    }
}
