import Foundation
import FuzzSupport
import TestSupport
import Testing
import Vision

/// Opened in a process of their own, as the tool does; in `make fuzz` alone, since copies of a process that does other things besides may lock up.
@Suite("Networks, changed by chance, in a process of their own", .serialized, .enabled(if: FuzzRun.isAskedFor, "run by make fuzz"))
struct NetworkFuzzTests {
    private func fuzz(_ name: String, as file: String, _ models: @escaping (String) -> VisionModels, _ mutate: (inout FuzzGenerator) -> Data) throws {
        let scratch = try Scratch()
        let model = try KeptInput(scratch.url.appending(path: file))
        try Data(count: 64_000).write(to: scratch.url.appending(path: "objects.weights"))
        let worker = ForkedWorker { try models(model.path).open() }
        try FuzzRun(name, count: 0)(mutate) { input, seed in
            try model.write(input)
            let run = try worker.run()
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
