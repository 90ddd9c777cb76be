/// An output that is complete but for its name.
public protocol PendingOutput: Sendable {
    /// Gives the output its name; on any error nothing has changed. With `keepingOld`, `retract()` can bring back what had the name before.
    func publish(keepingOld: Bool) throws(OutputError)
    /// Takes the name away again and gives it back to what had it before; nothing of this output is left.
    func retract() throws(OutputError)
    /// Removes what had the name before.
    func conclude()
}

enum PendingOutputs {
    /// Gives outputs their names: all of them or, where one fails, none.
    static func publish(_ outputs: [any PendingOutput]) throws(OutputError) {
        for (index, output) in outputs.enumerated() {
            do throws(OutputError) { try output.publish(keepingOld: index < outputs.count - 1) } catch {
                var failure = error
                for earlier in outputs[..<index].reversed() {
                    do throws(OutputError) { try earlier.retract() } catch { failure = error }
                }
                throw failure
            }
        }
        for output in outputs { output.conclude() }
    }
}
