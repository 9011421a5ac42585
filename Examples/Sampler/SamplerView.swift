// SPDX-License-Identifier: MIT

#if canImport(SwiftUI) && canImport(UIKit) && os(iOS)
    import SwiftUI
    import UIKit

    /// The sample app's one screen.
    public struct SamplerView: View {
        @ObservedObject private var model: SamplerModel

        /// Makes the screen of a model.
        public init(_ model: SamplerModel) {
            self.model = model
        }

        /// Own id, status, and the two buttons.
        public var body: some View {
            VStack(spacing: 24) {
                Text(model.screen.ownID ?? "…").font(.title.monospaced()).accessibilityLabel("Your id")
                Text(model.screen.status).foregroundColor(.secondary)
                Button("Call") { Task { await model.callTapped() } }.disabled(!model.screen.canCall)
                Button("End") { Task { await model.endTapped() } }.disabled(!model.screen.canEnd)
            }
            .padding()
            .confirmationDialog("Call whom?", isPresented: isChoosing) {
                ForEach(model.screen.choices ?? []) { peer in
                    Button(peer.name) { Task { await model.choose(peer) } }
                }
                Button("Cancel", role: .cancel) { model.cancelChoice() }
            }
            .alert(model.screen.alert?.text ?? "", isPresented: isAlerting) {
                if model.screen.alert?.opensSettings == true { Button("Settings", action: openSettings) }
                Button("OK", role: .cancel) { model.dismissAlert() }
            }
            .task { await model.start() }
            .task { await model.follow() }
        }

        private var isChoosing: Binding<Bool> {
            Binding(get: { model.screen.choices != nil }, set: { if !$0 { model.cancelChoice() } })
        }

        private var isAlerting: Binding<Bool> {
            Binding(get: { model.screen.alert != nil }, set: { if !$0 { model.dismissAlert() } })
        }

        private func openSettings() {
            guard let url = URL(string: UIApplication.openSettingsURLString) else { return }
            UIApplication.shared.open(url)
        }
    }
#endif
