import { Controller } from '@hotwired/stimulus'
import { cache, navigator as turbo, visit } from '@hotwired/turbo'

const TYPED_MS = 300
const LOOK_MS = 10_000

/** Filters a list while its form is filled in, and updates its rows while the page is visible. */
export class List extends Controller {
  static targets = ['form', 'button', 'said']
  static values = { version: String, latest: String, one: String, many: String }

  connect() {
    for (const button of this.buttonTargets) button.hidden = true
    this.look = () => this.lookForNews()
    this.timer = setInterval(this.look, LOOK_MS)
    document.addEventListener('visibilitychange', this.look)
  }

  disconnect() {
    clearInterval(this.timer)
    clearTimeout(this.typing)
    document.removeEventListener('visibilitychange', this.look)
    this.asking?.abort()
  }

  typed({ target }) {
    if (target.type !== 'search') return
    clearTimeout(this.typing)
    this.typing = setTimeout(() => this.narrow(), TYPED_MS)
  }

  changed({ target }) {
    // Typing was handled by `typed`, but autofill only fires `change`.
    clearTimeout(this.typing)
    if (target.type !== 'search' || target.value !== (new URLSearchParams(location.search).get(target.name) ?? ''))
      this.narrow()
  }

  /** Applies the filters on Enter. On narrow screens it folds the form, because the results are below it. */
  async apply(event) {
    event.preventDefault()
    clearTimeout(this.typing)
    await this.narrow()
    const fold = this.formTarget.closest('details')
    if (!matchMedia('(min-width: 44rem)').matches && this.element.querySelector('tbody')) fold.open = false
  }

  async narrow() {
    const given = [...new FormData(this.formTarget)].filter(([, value]) => value !== '')
    const address = new URL(this.formTarget.action)
    address.search = new URLSearchParams(given).toString()
    const page = await this.page(address)
    if (!page) return
    turbo.history.replace(address)
    // Otherwise Turbo would cache this page under the address from which it was loaded.
    cache.exemptPageFromCache()
    for (const part of document.querySelectorAll('[data-list-part]')) {
      const fresh = page.querySelector(`[data-list-part="${part.dataset.listPart}"]`)
      if (fresh) part.replaceChildren(...fresh.childNodes)
    }
    this.adopt(page)
    this.say(this.countWords())
  }

  /** Checks for changes with If-None-Match. The response has no body and is usually 304. */
  async lookForNews() {
    if (document.hidden || this.isBusy || new URLSearchParams(location.search).has('starting_after')) return
    const headers = { 'If-None-Match': this.versionValue }
    const answer = await fetch(this.latestValue + location.search, { headers }).catch(() => null)
    // Read the empty body; otherwise the browser reports the response as canceled.
    await answer?.text().catch(() => '')
    if (answer?.status === 200 && !this.isBusy) await this.showNews()
  }

  async showNews() {
    const shown = location.href
    const page = await this.page(new URL(shown))
    if (!page || this.isBusy || location.href !== shown) return
    const [body, fresh] = [this.element.querySelector('tbody'), page.querySelector('[data-controller~="list"] tbody')]
    if (!body || !fresh) {
      if (body || fresh) visit(shown, { action: 'replace' })
      return
    }
    const added = merge(body, fresh)
    this.adopt(page)
    if (added > 0) this.say(`${added} new ${added === 1 ? this.oneValue : this.manyValue}.`)
  }

  /** Whether someone is selecting text in the list or typing into its search field. */
  get isBusy() {
    const selection = getSelection()
    const selects = !selection.isCollapsed && this.element.contains(selection.anchorNode)
    return (
      selects ||
      (this.hasFormTarget &&
        this.formTarget.contains(document.activeElement) &&
        document.activeElement.type === 'search')
    )
  }

  /** Fetches a page. Returns null if the page redirects elsewhere, if a newer request replaced this one, or on failure. */
  async page(address) {
    this.asking?.abort()
    this.asking = new AbortController()
    try {
      const answer = await fetch(address, { headers: { Accept: 'text/html' }, signal: this.asking.signal })
      if (answer.redirected) {
        visit(answer.url)
        return null
      }
      return new DOMParser().parseFromString(await answer.text(), 'text/html')
    } catch {
      return null
    }
  }

  adopt(page) {
    const fresh = page.querySelector('[data-controller~="list"]')
    if (fresh) this.versionValue = fresh.dataset.listVersionValue
  }

  countWords() {
    const count = this.element.querySelectorAll('tbody tr').length
    if (count === 0) return this.element.querySelector('.empty p, .notice')?.firstChild?.textContent.trim() ?? ''
    const more = this.element.querySelector('.pager [rel="next"]') ? ', and more on the next page' : ''
    return `${count} ${count === 1 ? this.oneValue : this.manyValue}${more}.`
  }

  say(words) {
    this.saidTarget.textContent = words
  }
}

/** Updates rows except those in use. Returns the number of new rows. */
function merge(body, fresh) {
  const known = new Map([...body.rows].map((row) => [row.dataset.row, row]))
  let [place, added] = [0, 0]
  for (const row of [...fresh.rows]) {
    const old = known.get(row.dataset.row)
    known.delete(row.dataset.row)
    const kept = old && (old.innerHTML === row.innerHTML || old.contains(document.activeElement))
    if (!old) added++
    const box = old && !kept && row.querySelector('[name="chosen"]')
    if (box) box.checked = old.querySelector('[name="chosen"]')?.checked ?? false
    if (!old) row.classList.add('fresh')
    const next = kept ? old : row
    if (old && !kept) old.replaceWith(row)
    if (body.rows[place] !== next) body.insertBefore(next, body.rows[place] ?? null)
    place++
  }
  for (const row of known.values()) {
    if (!row.contains(document.activeElement) && !row.querySelector('[name="chosen"]')?.checked) row.remove()
  }
  return added
}
