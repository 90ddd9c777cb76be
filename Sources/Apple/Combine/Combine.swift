// Combine's part that the model code of apps uses, under Apple's names, with its rules of demand and cancellation.
//
//     model.$zoom.removeDuplicates().debounce(for: .milliseconds(200), scheduler: DispatchQueue.main)
//         .sink { print($0) }
//         .store(in: &cancellables)
//
// A subscriber asks for values (`Subscribers.Demand`), and no publisher delivers more than that. `cancel()` ends delivery at once, and frees
// what the closures hold. A completion comes once and last.
//
// Publisher, Subscriber, Subscription     the roles; Demand, Completion
// Sink, Assign, AnyCancellable            the ends
// Hub, Conduit                            what subjects and @Published share: a list of subscribers, each with its demand
// Relay                                   what operators of one value share
// Flattening, Succession                  publishers beside and after one another: flatMap, merge; append, catch, retry
// ConnectablePublisher                    multicast, share, Timer.publish
// Scheduler                               DispatchQueue, RunLoop, OperationQueue, ImmediateScheduler: receive(on:), subscribe(on:), delay, debounce, throttle
//
// Coverage, operator by operator: Coverage.md.
