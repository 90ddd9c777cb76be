/// `{api: {trackingFocus: maya, mode: strong}}`: a call of the focus API, without a touch.
struct APIVerb: PlayedVerb, ReadableVerb {
    static let name = "api"
    static let about = "A call of the camera's focus API, past the fingers."
    static let shape = FormatShape.table(APICall.table)

    let call: APICall
    var object: String { call.summary }

    init(_ entry: VerbEntry, _ reader: inout TimelineReader) throws(ScenarioError) { call = try APICall(entry.value, reader) }

    var command: AppCommand { .call(call) }
}
