// The module AVFAudio: the audio session of the app, which AVFoundation has here, and formats and buffers of sound. Players, recorders and engines are
// absent; Coverage.md lists them.
@_exported import AVFoundation
