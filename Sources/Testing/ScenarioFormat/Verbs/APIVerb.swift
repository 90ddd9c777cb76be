import AVFCapture

/// `{api: {trackingFocus: maya, mode: strong}}`: a call of the focus API, without a touch.
struct APIVerb: PlayedVerb, ReadableVerb {
    static let name = "api"
    static let about = "A call of the camera's focus API, past the fingers."
    static let shape = FormatShape.table(APICall.table)

    let call: APICall
    var object: String { call.summary }

    init(_ entry: VerbEntry, _ reader: inout TimelineReader) throws(ScenarioError) { call = try APICall(entry.value, reader) }

    func play(on app: ScriptedApp) throws {
        var call = call
        if case .trackSubject(let name) = call.target {
            guard let id = app.objectID(name) else {
                throw PlayFailure("\(name) has not been reported yet, so there is no object ID to pass")
            }
            call.target = .trackObject(id)
        }
        try app.whileLocked(call.make)
    }
}
