import { Controller } from '@hotwired/stimulus'

const SHOWN_MS = 2000

/** Copies the payment link. Without this script or clipboard access, the form shows the link on a page. */
export class PaymentLink extends Controller {
  async copy(event) {
    if (!navigator.clipboard?.write) return
    event.preventDefault()
    const button = this.element.querySelector('button')
    try {
      // Writing is only allowed shortly after the click, so pass a promise of the text to the clipboard.
      await navigator.clipboard.write([new ClipboardItem({ 'text/plain': this.link() })])
      this.say(button, 'Copied')
    } catch {
      this.element.submit()
    }
  }

  async link() {
    const answer = await fetch(this.element.action, {
      method: 'POST',
      body: new URLSearchParams(new FormData(this.element)),
      headers: { Accept: 'text/plain' },
    })
    if (!answer.ok) throw new Error(await answer.text())
    return new Blob([await answer.text()], { type: 'text/plain' })
  }

  say(button, said) {
    const words = button.innerHTML
    button.textContent = said
    setTimeout(() => {
      button.innerHTML = words
    }, SHOWN_MS)
  }
}
