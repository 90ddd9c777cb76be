import Foundation
import Glibc

/// One end of the line between the lens and the process that runs a user's filter: a socket, over which messages go as their length and their
/// bytes. An end that has gone is an error, never a signal.
final class FilterChannel {
    enum Failure: Error {
        /// The other end has gone, or the socket failed.
        case closed
        /// Nothing came in time.
        case timedOut
    }

    private let socket: Int32

    /// Takes the descriptor over.
    init(socket: Int32) { self.socket = socket }

    deinit { close(socket) }

    /// Two ends; the second is for the other process, and stays open here as long as its value lives.
    static func pair() throws(Failure) -> (FilterChannel, descriptor: Int32) {
        var ends: [Int32] = [0, 0]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else { throw .closed }
        return (FilterChannel(socket: ends[0]), ends[1])
    }

    func send(_ message: Data) throws(Failure) {
        try write(withUnsafeBytes(of: UInt32(message.count)) { Data($0) } + message)
    }

    /// The next message; waits no longer than `limit`, nil for as long as it takes.
    func receive(within limit: Duration?) throws(Failure) -> Data {
        let deadline = limit.map { ContinuousClock.now + $0 }
        let count = try read(4, until: deadline).withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
        return try read(Int(count), until: deadline)
    }

    /// Returns when the other end has gone.
    func waitForEnd() {
        var event = pollfd(fd: socket, events: 0, revents: 0)
        while poll(&event, 1, -1) >= 0 || errno == EINTR { if event.revents & Int16(POLLHUP | POLLERR) != 0 { return } }
    }

    private func write(_ data: Data) throws(Failure) {
        var rest = data
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { throw .closed }
        }
    }

    private func read(_ count: Int, until deadline: ContinuousClock.Instant?) throws(Failure) -> Data {
        var data = Data()
        while data.count < count {
            var event = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            let milliseconds = deadline.map { Int32(clamping: Int64(max(($0 - .now) / .milliseconds(1), 0).rounded(.up))) } ?? -1
            let ready = poll(&event, 1, milliseconds)
            if ready == 0 { throw .timedOut }
            guard ready > 0 || errno == EINTR else { throw .closed }
            guard ready > 0 else { continue }
            var bytes = [UInt8](repeating: 0, count: min(count - data.count, 1 << 16))
            let got = recv(socket, &bytes, bytes.count, 0)
            if got > 0 { data += bytes.prefix(got) } else if got == 0 || errno != EINTR { throw .closed }
        }
        return data
    }
}
