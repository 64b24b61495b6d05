import { Controller } from '@hotwired/stimulus'

const WAIT_MS = 120
const KEPT = 6

/** The search palette that Ctrl+K or a slash opens on any page. It shows results from the search page. */
export class Palette extends Controller {
  static targets = ['field', 'list', 'none', 'status']
  static values = { address: String, person: String }

  connect() {
    this.remember()
  }

  disconnect() {
    this.leave()
  }

  // Opening and closing

  pressed(event) {
    const { key, ctrlKey, metaKey, altKey, shiftKey } = event
    const chord = (ctrlKey || metaKey) && !altKey && !shiftKey && key.toLowerCase() === 'k'
    const slash = key === '/' && !ctrlKey && !metaKey && !altKey && !isTypedIn(event.target)
    if (event.defaultPrevented || event.isComposing || (!chord && !slash)) return
    if (this.element.open ? !chord : document.querySelector('dialog[open]')) return
    event.preventDefault()
    if (this.element.open) this.element.close()
    else this.open()
  }

  clicked(event) {
    const { target, ctrlKey, metaKey, shiftKey } = event
    if (target === this.element) return this.element.close()
    if (this.element.contains(target) && target.closest('a')) return this.element.close()
    if (ctrlKey || metaKey || shiftKey || !target.closest?.('[data-palette-opens]')) return
    event.preventDefault()
    this.open()
  }

  open() {
    this.fieldTarget.value = ''
    this.show(this.recent())
    this.element.showModal()
    this.fieldTarget.focus()
  }

  closed() {
    clearTimeout(this.timer)
    this.asking?.abort()
  }

  leave() {
    this.closed()
    if (this.element.open) this.element.close()
  }

  // Searching

  typed() {
    this.closed()
    const query = this.fieldTarget.value.trim()
    this.awaited = query
    if (query === '') return this.show(this.recent())
    this.timer = setTimeout(() => this.search(query), WAIT_MS)
  }

  async search(query) {
    clearTimeout(this.timer)
    this.asking?.abort()
    this.asking = new AbortController()
    const { signal } = this.asking
    try {
      const address = `${this.addressValue}?${new URLSearchParams({ q: query, as: 'options' })}`
      const answer = await fetch(address, { signal, headers: { Accept: 'text/html' } })
      // If the session has ended, go to the search page, which leads to the sign-in.
      if (answer.redirected || answer.status === 401) return location.assign(this.addressValue)
      const options = parsed(await answer.text())
      if (signal.aborted) return
      this.shown = query
      this.show(options)
    } catch (error) {
      if (error.name === 'AbortError') return
      this.show(parsed('<p class="found-none">The search did not answer. Check the connection and try again.</p>'))
    }
  }

  show(content) {
    const said = content.querySelector('[role=option]') ? '' : content.textContent.trim()
    this.listTarget.replaceChildren(...(said === '' ? [content] : []))
    this.listTarget.scrollTop = 0
    const { length } = this.options
    this.listTarget.hidden = length === 0
    this.noneTarget.textContent = said
    this.noneTarget.hidden = said === ''
    this.fieldTarget.setAttribute('aria-expanded', String(length > 0))
    this.statusTarget.textContent =
      this.fieldTarget.value.trim() === '' ? '' : said || `${length} ${length === 1 ? 'result' : 'results'}`
    this.choose(0)
  }

  // Choosing

  moved(event) {
    const { key, isComposing, ctrlKey, metaKey, altKey } = event
    if (isComposing || ctrlKey || metaKey || altKey) return
    const { length } = this.options
    const steps = { ArrowDown: this.chosen + 1, ArrowUp: this.chosen - 1, PageDown: length - 1, PageUp: 0 }
    if (length === 0 || steps[key] === undefined) return
    event.preventDefault()
    this.choose((steps[key] + length) % length)
  }

  choose(place) {
    this.chosen = place
    for (const [at, option] of this.options.entries()) option.setAttribute('aria-selected', String(at === place))
    const option = this.options[place]
    if (option) this.fieldTarget.setAttribute('aria-activedescendant', option.id)
    else this.fieldTarget.removeAttribute('aria-activedescendant')
    option?.scrollIntoView({ block: 'nearest' })
  }

  /** Enter opens the selected result. If the list does not match the query yet, the form submits to the search page. */
  submit(event) {
    const query = this.fieldTarget.value.trim()
    const option = this.options[this.chosen]
    if (query !== '' && query !== this.shown) return
    event.preventDefault()
    option?.click()
  }

  get options() {
    return [...this.listTarget.querySelectorAll('[role=option]')]
  }

  // Recent pages are kept until the tab is closed.

  remember() {
    const [title] = document.title.split(' · ')
    const path = location.pathname
    if (path === this.addressValue || document.documentElement.hasAttribute('data-turbo-preview')) return
    const others = this.kept().filter((page) => page.path !== path)
    this.keep([{ title, path }, ...others].slice(0, KEPT + 1))
  }

  recent() {
    const list = document.createDocumentFragment()
    const pages = this.kept().filter(({ path }) => path !== location.pathname)
    if (pages.length === 0) return list
    const group = element('div', { role: 'group', 'aria-labelledby': 'found-recent' })
    group.append(element('div', { class: 'found-title', id: 'found-recent', role: 'presentation' }, 'Recent pages'))
    for (const [at, { title, path }] of pages.entries()) {
      const given = { class: 'found-link', role: 'option', tabindex: '-1', id: `found-recent-${at}`, href: path }
      const link = element('a', given)
      link.append(element('span', { class: 'found-words' }, title))
      group.append(link)
    }
    list.append(group)
    return list
  }

  kept() {
    try {
      const pages = JSON.parse(sessionStorage.getItem(this.store) ?? '[]')
      return pages.filter(({ path }) => path.startsWith('/dashboard/'))
    } catch {
      return []
    }
  }

  keep(pages) {
    try {
      sessionStorage.setItem(this.store, JSON.stringify(pages))
    } catch {
      // Without storage there are no recent pages.
    }
  }

  get store() {
    return `palette ${this.personValue}`
  }
}

function isTypedIn({ tagName, isContentEditable }) {
  return isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(tagName)
}

/** Parses a response of this server into a template, in which scripts do not run. */
function parsed(text) {
  const template = document.createElement('template')
  template.innerHTML = text
  return template.content
}

function element(name, attributes, text = '') {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  made.textContent = text
  return made
}
