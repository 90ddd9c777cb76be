import Foundation
import FuzzSupport
import TestSupport
import Testing
import Vision

/// Each opened as the tool's own process for that does; in `make fuzz` alone, since copies of a process that does other things besides may lock up.
@Suite("Networks, changed by chance, in a process each", .serialized, .enabled(if: FuzzRun.isAskedFor, "run by make fuzz"))
struct NetworkFuzzTests {
    private func fuzz(_ name: String, as file: String, _ models: (String) -> VisionModels, _ mutate: (inout FuzzGenerator) -> Data) throws {
        let scratch = try Scratch()
        let model = try KeptInput(scratch.url.appending(path: file))
        try Data(count: 64_000).write(to: scratch.url.appending(path: "objects.weights"))
        try FuzzRun(name, count: 0)(mutate) { input, seed in
            try model.write(input)
            let run = try ForkedRun { try models(model.path).open() }
            #expect(run.signal != SIGALRM && run.seconds < 5 && run.mostBytes < 1 << 30, "seed \(seed): \(run)")
        }
    }

    @Test("faces: are opened or refused, or end that process, in time and memory")
    func faces() throws {
        let mutator = ProtobufMutator([TinyModel.yuNet])
        try fuzz("model-face-open", as: "face.onnx", { VisionModels(face: $0) }) { mutator(&$0) }
    }

    @Test("objects of Darknet: the same of the .cfg")
    func objects() throws {
        let mutator = TextMutator([TinyModel.darknet])
        try fuzz("model-object-open", as: "objects.cfg", { VisionModels(object: $0) }) { mutator(&$0) }
    }
}
