import { Controller } from '@hotwired/stimulus'
import { Asking } from 'dashboard/asking'

/** A form with a preview of its page. Parts of the form change without a reload, and the preview follows. */
export class Preview extends Controller {
  static targets = ['form', 'frame', 'button', 'said']
  static values = { address: String }

  connect() {
    this.buttonTarget.hidden = true
    this.asking = new Asking({
      place: this.frameTarget,
      said: this.saidTarget,
      ask: (signal) => this.send(this.addressValue, null, signal),
      show: (page) => this.show(page),
    })
  }

  disconnect() {
    this.asking.stop()
  }

  typed() {
    this.asking.typed()
  }

  /** Replaces the frame's content in place, which keeps its scroll position. A frame that failed to load is loaded again. */
  show(page) {
    const shown = this.frameTarget.contentDocument
    if (shown?.body && shown.querySelector('main')) return takeOver(shown, page)
    this.frameTarget.addEventListener('load', () => this.typed(), { once: true })
    if (!shown) this.frameTarget.setAttribute('src', this.frameTarget.src)
  }

  /** Submits the form to change its rows, and replaces only the part that contains the button. */
  async change(event) {
    const part = event.currentTarget.closest('[data-part]')
    if (!part) return
    event.preventDefault()
    const button = event.currentTarget.closest('button') ?? part.querySelector('button[name="change"]')
    const focused = document.activeElement?.id
    const response = await this.send(this.formTarget.getAttribute('action'), button)
    const page = documentOf(await response.text())
    const fresh = page.querySelector(`[data-part="${part.dataset.part}"]`)
    if (!fresh) return
    if (part.open) fresh.open = true
    part.replaceWith(document.adoptNode(fresh))
    const added = fresh.querySelector('[autofocus]')
    if (focused) document.getElementById(focused)?.focus()
    if (added) (added.querySelector('input:not([type="hidden"]), select') ?? added).focus()
    this.formTarget.dispatchEvent(new Event('input', { bubbles: true }))
  }

  send(address, button, signal) {
    const body = new URLSearchParams(new FormData(this.formTarget, button))
    return fetch(address, { method: 'POST', body, signal, headers: { Accept: 'text/html' } })
  }
}

/** Keeps stylesheets that both documents have, to avoid flicker. */
function takeOver(shown, page) {
  const sheetsOf = ({ head }) => [...head.querySelectorAll('link[rel="stylesheet"]')]
  const [before, after] = [sheetsOf(shown), sheetsOf(page)]
  const has = (sheets, { href }) => sheets.some((sheet) => sheet.href === href)
  for (const sheet of after) if (!has(before, sheet)) shown.head.append(shown.adoptNode(sheet))
  for (const sheet of before) if (!has(after, sheet)) sheet.remove()
  shown.body.replaceWith(shown.adoptNode(page.body))
}

/** Parses HTML into a separate document, in which no script runs and nothing loads. */
function documentOf(text) {
  return new DOMParser().parseFromString(text, 'text/html')
}
