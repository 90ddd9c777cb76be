// The module AVFAudio: the audio session of the app, which the capture graph has, formats, buffers and files of sound. Players and recorders are absent, and
// engines are names that compile; Coverage.md lists them.
@_exported import AVFCapture
