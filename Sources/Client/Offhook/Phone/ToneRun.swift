// SPDX-License-Identifier: MIT

#if canImport(CallKit) && !os(macOS)
    import CallKit
    import OffhookCore

    /// Digits that CallKit plays with one action: those before the first pause, or those after one (G7, R50).
    struct ToneRun: Hashable {
        /// What goes before the digits.
        enum Pause: Hashable {
            /// Nothing: the user tapped keys.
            case none
            /// A comma: 2 s.
            case soft
            /// A semicolon: what follows waits for the user.
            case hard
        }

        /// What goes before the digits.
        var pause: Pause
        /// The digits; none between two pauses.
        var digits: String

        /// The runs of what was typed, in order; together they are the text again.
        static func runs(of tones: String) -> [ToneRun] {
            var runs: [ToneRun] = []
            for tone in tones {
                switch tone {
                case ",": runs.append(ToneRun(pause: .soft, digits: ""))
                case ";": runs.append(ToneRun(pause: .hard, digits: ""))
                default:
                    if runs.isEmpty { runs.append(ToneRun(pause: .none, digits: "")) }
                    runs[runs.count - 1].digits.append(tone)
                }
            }
            return runs
        }

        /// The run as it is typed.
        var text: String {
            switch pause {
            case .none: digits
            case .soft: "," + digits
            case .hard: ";" + digits
            }
        }
    }

    extension ToneRun {
        /// The run that an action plays.
        init(_ action: CXPlayDTMFCallAction) {
            digits = action.digits
            // A kind that came with a later system plays its digits.
            pause = action.type == .softPause ? .soft : action.type == .hardPause ? .hard : .none
        }

        /// The action that plays the run.
        func action(_ call: CallID) -> CXPlayDTMFCallAction {
            switch pause {
            case .none: CXPlayDTMFCallAction(call: call.uuid, digits: digits, type: .singleTone)
            case .soft: CXPlayDTMFCallAction(call: call.uuid, digits: digits, type: .softPause)
            case .hard: CXPlayDTMFCallAction(call: call.uuid, digits: digits, type: .hardPause)
            }
        }
    }
#endif
