import { watchNear } from 'dashboard/near'

/** Waits for a pause in typing, to avoid a request per letter. */
const PAUSE_MS = 500
/** The first wait before retrying an unreachable server. Each further wait is twice as long, up to `LONGEST_WAIT_MS`. */
const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 30_000

const UNREACHABLE = 'This preview is out of date: the server cannot be reached. It is asked again automatically.'
const SIGNED_OUT = 'This preview is out of date: you are signed out. Sign in again in another tab.'

/** Keeps a visible preview up to date with its form: requests it after each pause in typing, and again after failures. */
export class Asking {
  /**
   * `place` is the preview, and `said` the element that says why it is out of date. `ask` takes an abort signal and returns a response;
   * `show` takes its document. `isWanted` is false if the page was rendered with its preview.
   */
  constructor({ place, said, ask, show, isWanted = true }) {
    Object.assign(this, { said, ask, show, isWanted, isNear: false, failures: 0 })
    this.unwatch = watchNear(place, (isNear) => this.see(isNear))
    this.online = () => this.later(0)
    addEventListener('online', this.online)
  }

  stop() {
    this.unwatch()
    removeEventListener('online', this.online)
    clearTimeout(this.timer)
    this.asked?.abort()
  }

  see(isNear) {
    this.isNear = isNear
    if (isNear && this.isWanted) this.later(0)
  }

  typed() {
    this.isWanted = true
    this.later(PAUSE_MS)
  }

  later(wait) {
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.now(), wait)
  }

  async now() {
    if (!this.isNear || !this.isWanted) return
    this.asked?.abort()
    const asked = new AbortController()
    this.asked = asked
    // This request does not have what is typed from now on, so later changes ask again.
    this.isWanted = false
    try {
      const answer = await this.ask(asked.signal)
      if (answer.status >= 500) throw new Error(`The server answers ${answer.status}.`)
      const text = await answer.text()
      this.failures = 0
      this.say(answer.redirected ? SIGNED_OUT : '')
      if (answer.ok && !answer.redirected) this.show(new DOMParser().parseFromString(text, 'text/html'))
    } catch (error) {
      if (!asked.signal.aborted) this.fail(error)
    }
  }

  fail(error) {
    if (error.name === 'AbortError') return
    this.isWanted = true
    this.say(UNREACHABLE)
    this.later(Math.min(FIRST_WAIT_MS * 2 ** this.failures++, LONGEST_WAIT_MS))
  }

  /** Avoids setting the same text again, which screen readers would repeat. */
  say(words) {
    if (this.said.textContent !== words) this.said.textContent = words
  }
}
