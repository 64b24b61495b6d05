import { Controller } from '@hotwired/stimulus'

const SHOWN_MS = 2000

/** Copies the payment link that its form asks for. Without it, or where copying is not allowed, the form shows the link on a page. */
export class PaymentLink extends Controller {
  async copy(event) {
    if (!navigator.clipboard?.write) return
    event.preventDefault()
    const button = this.element.querySelector('button')
    try {
      // Browsers let a page write only while its click is new, so the text is promised before it is known.
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
