import AVFoundation
import Testing

@Suite("Every call in every state")
struct StateTableTests {
    /// Refused: with this exception, and nothing has changed. Allowed: no exception, and exactly what the table says has changed.
    @Test("is refused, or allowed and moves on", arguments: GraphCall.all)
    func cell(call: GraphCall) throws {
        #expect(call.outcomes.count == GraphState.allCases.count)
        for (state, outcome) in zip(GraphState.allCases, call.outcomes) {
            try inEnvironment(StateRig.environment) {
                let rig = try StateRig(state)
                let before = rig.snapshot
                var thrown: (any Error)?
                let raised = CaptureEnvironment.violations { do { try call.call(rig) } catch { thrown = error } }
                var expected = before
                switch outcome {
                case ".":
                    #expect(raised.isEmpty, "\(state)")
                    call.change(&expected, state)
                case "E": #expect((thrown as? AVError)?.code == .deviceNotConnected, "\(state)")
                default:
                    let (name, reason) = try #require(call.reasons[outcome])
                    #expect(raised.map(\.name) == [name], "\(state)")
                    #expect(raised.first?.reason.contains(reason) == true, "\(state): \(raised)")
                }
                #expect((thrown != nil) == (outcome == "E"), "\(state): \(thrown as Any)")
                #expect(rig.snapshot == expected, "\(state)")
            }
        }
    }

    @Test("makes many cells")
    func size() { #expect(GraphCall.all.map(\.outcomes.count).reduce(0, +) == GraphState.allCases.count * 59) }
}
