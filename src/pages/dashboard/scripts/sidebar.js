import { Controller } from '@hotwired/stimulus'

const KEY = 'sidebar-scroll'
const YEAR_SECONDS = 31_536_000

/** Keeps the scroll position between pages, and the open groups in a cookie, so that the server renders these groups open. */
export class Sidebar extends Controller {
  connect() {
    this.element.scrollTop = Number(sessionStorage.getItem(KEY) ?? 0)
    this.keep = () => sessionStorage.setItem(KEY, String(this.element.scrollTop))
    this.element.addEventListener('scroll', this.keep, { passive: true })
  }

  disconnect() {
    this.element.removeEventListener('scroll', this.keep)
  }

  /** Stores opened groups; the current page's group is always open. */
  fold({ currentTarget }) {
    const group = currentTarget.parentElement
    const open = new Set(/(?:^|; )open_groups=([^;]*)/.exec(document.cookie)?.[1].split('.').filter(Boolean))
    if (group.open) open.delete(group.id)
    else open.add(group.id)
    // biome-ignore lint/suspicious/noDocumentCookie: not every browser has another way
    document.cookie = `open_groups=${[...open].join('.')}; path=/dashboard; max-age=${YEAR_SECONDS}; samesite=lax`
  }
}
