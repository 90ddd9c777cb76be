import RackfocusKit
import ScenarioResults
import Support

/// Exit codes of the tool; the numbers are part of its interface.
enum ExitCode: Int32, CaseIterable {
    case success = 0
    case expectationFailed = 1
    case scenarioWrong = 2
    case deviceMissing = 3
    case goldenMissing = 4
    case invariantBroken = 5
    case timedOut = 6
    case notReproducible = 7
    case usage = 64
    case filterFailed = 65
    case inputUnusable = 66
    case `internal` = 70
    case cannotCreate = 73
    case outputFailed = 74

    init(_ error: any Error) {
        self =
            switch error {
            case let error as TestsFailed: Self(rawValue: Int32(error.verdict.rawValue)) ?? .internal
            case let error as WorkerStopped: error.code
            case is ExpectationsFailed: .expectationFailed
            case is ReplayDiffers: .notReproducible
            case let error as LensFailure: Self(error.underlying)
            case is CameraProfileError: .inputUnusable
            case let error as ScenarioError: error.location == nil ? .inputUnusable : .scenarioWrong
            case let error as BokehError where error.code == .filterFailed: .filterFailed
            case let error as BokehError: [.unsupportedPicture, .invalidShader].contains(error.code) ? .inputUnusable : .deviceMissing
            case let error as VisionError: error.code == .picture || error.code == .file ? .inputUnusable : .internal
            case is UsageError: .usage
            case CinematicCamera.SetUpError.apertureOutOfRange: .usage
            case let error as MediaError: Self(error)
            case is CameraUnplugged: .deviceMissing
            case let error as VideoDeviceError: error.code == .unsupported ? .usage : .deviceMissing
            case is DetectionLogError, is TraceComparison.BadTrace, is InputError, is ResultsMerge.Problems: .inputUnusable
            case let error as VisionError: error.code == .file ? .inputUnusable : .internal
            case let error as OutputError: error.code == .diskFull || error.code == .failed ? .outputFailed : .cannotCreate
            default: .internal
            }
    }

    private init(_ error: MediaError) {
        self =
            switch error.code {
            case .wrongOptions: .usage
            case .missingEncoder, .outOfMemory: .deviceMissing
            case .encodingFailed: .outputFailed
            default: .inputUnusable
            }
    }

    var meaning: String {
        switch self {
        case .success: "done"
        case .expectationFailed: "everything was done, but an expectation or a golden of a scenario failed"
        case .scenarioWrong: "the scenario file, or a list of edits, is wrong"
        case .deviceMissing: "no usable camera or Vulkan device, or another part of the machine is missing"
        case .goldenMissing: "a golden is missing where none may be written (CI=true)"
        case .invariantBroken: "a rule of focus was broken that always holds"
        case .timedOut: "a scenario took too long"
        case .notReproducible: "the same scenario, or the log of a take, gave another trace"
        case .usage: "the command line was not understood"
        case .filterFailed: "a filter (--shader) crashed or did not end; a movie is whole, without it from there on"
        case .inputUnusable: "an input is missing, damaged, or does not fit the others"
        case .internal: "a fault of rackfocus"
        case .cannotCreate: "the output exists (see --force) or cannot be created"
        case .outputFailed: "writing failed, for example a full disk; nothing half-written is left behind"
        }
    }
}
