import { Controller } from '@hotwired/stimulus'

/** Reloads its frame every few seconds while the page is visible, no one works in it and no rows are selected. */
export class Refresh extends Controller {
  static values = { seconds: { type: Number, default: 5 } }

  connect() {
    this.timer = setInterval(() => this.load(), this.secondsValue * 1000)
  }

  disconnect() {
    clearInterval(this.timer)
  }

  load() {
    const busy = this.element.contains(document.activeElement) && document.activeElement !== this.element
    const chosen = this.element.querySelector('[name="chosen"]:checked')
    if (document.hidden || busy || chosen) return
    if (this.element.src) this.element.reload()
    else this.element.src = location.href
  }
}
