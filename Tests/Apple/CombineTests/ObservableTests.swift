import Combine
import Testing

@Suite("Published properties")
struct ObservableTests {
    private class Model: ObservableObject {
        @Published var zoom = 1.0
        @Published var name: String?
    }

    private final class Camera: Model {
        @Published var isRunning = false
    }

    private final class Plain: ObservableObject {
        let objectWillChange = PassthroughSubject<Void, Never>()
        @Published var count = 0
    }

    @Test("send the value first, and each new one before the property has it")
    func values() {
        let model = Model()
        var heard: [String] = []
        let token = model.$zoom.sink { heard.append("\($0) after \(model.zoom)") }
        model.zoom = 2
        token.cancel()
        model.zoom = 3
        #expect(heard == ["1.0 after 1.0", "2.0 after 1.0"] && model.zoom == 3)
    }

    @Test("announce each change of the object, those of its class's ancestors, too")
    func announcements() {
        let camera = Camera()
        var count = 0
        let token = camera.objectWillChange.sink { count += 1 }
        camera.zoom = 2
        camera.isRunning = true
        camera.name = "a"
        #expect(count == 3)
        withExtendedLifetime(token) {}
        // An object's own publisher is its own affair.
        let plain = Plain()
        let other = plain.objectWillChange.sink { count += 1 }
        plain.count = 1
        #expect(count == 3)
        withExtendedLifetime(other) {}
    }

    @Test("take another publisher's values, and hold no object")
    func assignment() {
        let subject = PassthroughSubject<Double, Never>()
        weak var gone: Model?
        do {
            let model = Model()
            gone = model
            subject.assign(to: &model.$zoom)
            subject.send(4)
            #expect(model.zoom == 4)
        }
        #expect(gone == nil)
        let (model, source) = (Model(), CurrentValueSubject<Double, Never>(7))
        var tokens: Set<AnyCancellable> = []
        source.assign(to: \.zoom, on: model).store(in: &tokens)
        #expect(model.zoom == 7)
        tokens.removeAll()
        source.send(8)
        #expect(model.zoom == 7)
    }

    @Test("a sink frees its closures when it ends")
    func release() {
        final class Token {}
        weak var gone: Token?
        let subject = PassthroughSubject<Int, Never>()
        let sink: AnyCancellable
        do {
            let token = Token()
            gone = token
            sink = subject.sink { _ in withExtendedLifetime(token) {} }
        }
        #expect(gone != nil)
        sink.cancel()
        #expect(gone == nil)
    }
}
