import Foundation
import SwiftUI
import Testing

@Suite("SwiftUI's values")
@MainActor struct SwiftUITests {
    final class Model: ObservableObject {
        @Published var zoom = 1.0
        var made = true
    }

    private struct Lens: Equatable {
        var aperture = 2.8
    }

    @Test("bindings read and write what they were made of, in part too")
    func bindings() {
        let state = State(wrappedValue: Lens())
        let aperture = state.projectedValue.aperture
        aperture.wrappedValue = 4
        #expect(state.wrappedValue == Lens(aperture: 4))
        #expect(Binding(.constant(Optional(3)))?.wrappedValue == 3 && Binding(Binding<Int?>.constant(nil)) == nil)
        let fixed = Binding.constant(1)
        fixed.wrappedValue = 2
        #expect(fixed.wrappedValue == 1)
    }

    @Test("a state object is made once, when it is first asked for")
    func objects() {
        var count = 0
        func make() -> Model {
            count += 1
            return Model()
        }
        let object = StateObject(wrappedValue: make())
        #expect(count == 0)
        object.projectedValue.zoom.wrappedValue = 2
        #expect(object.wrappedValue.zoom == 2 && count == 1)
        #expect(ObservedObject(wrappedValue: object.wrappedValue).projectedValue.zoom.wrappedValue == 2)
    }

    private enum Flash: String {
        case on, off
    }

    @Test("stored values are those of the defaults, else their own")
    func storage() throws {
        let name = "rackfocus.swiftui.\(UUID())"
        let store = try #require(UserDefaults(suiteName: name))
        defer { store.removePersistentDomain(forName: name) }
        let grid = AppStorage(wrappedValue: true, "grid", store: store)
        let flash = AppStorage(wrappedValue: Flash.off, "flash", store: store)
        #expect(grid.wrappedValue && flash.wrappedValue == .off)
        grid.wrappedValue = false
        flash.projectedValue.wrappedValue = .on
        #expect(!grid.wrappedValue && flash.wrappedValue == .on && store.string(forKey: "flash") == "on")
    }

    @Test("colours, angles and animations are values")
    func values() {
        #expect(Color.black.opacity(0.5) == Color(red: 0, green: 0, blue: 0, opacity: 0.5) && Color.white.cgColor?.alpha == 1)
        #expect(Angle.degrees(180).radians == .pi && Angle(degrees: 90) < .degrees(91))
        var zoom = 1
        withAnimation(.easeInOut(duration: 0.2)) { zoom = 2 }
        #expect(zoom == 2)
    }
}
