/// Message of the capture graph beside the frames.
package enum RunRemark: Sendable {
    /// A call had no effect.
    case diagnostic(String)
    /// A call would have raised.
    case raised(String)
    /// A recording or a photo began or ended, or the app switched cameras: key and value in the trace.
    case event(key: StaticString, value: String)
}
