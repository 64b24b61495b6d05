// Adds search results while typing and copy buttons for code; the pages also work without scripts.

const WAIT_MS = 80

const form = document.querySelector('.search')
const input = form?.querySelector('input')
if (form && input) enhanceSearch(form, input)
for (const block of document.querySelectorAll('.code')) addCopyButton(block)
showInNavigation(document.querySelector('.side'), document.querySelector('.side [aria-current]'))

/** Builds a combobox as in the ARIA Authoring Practices: the focus stays in the field, and arrow keys select a result. */
function enhanceSearch(form, input) {
  const list = document.createElement('ul')
  list.id = 'found'
  list.className = 'found'
  list.role = 'listbox'
  list.ariaLabel = 'Search results'
  list.hidden = true
  form.append(list)
  setAttributes(input, {
    role: 'combobox',
    'aria-controls': 'found',
    'aria-autocomplete': 'list',
    'aria-expanded': 'false',
  })
  const search = { input, list, chosen: -1, asked: 0 }

  let timer
  input.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(() => ask(search), WAIT_MS)
  })
  input.addEventListener('keydown', (event) => onKey(event, search))
  input.addEventListener('focus', () => list.children.length > 0 && open(search, true))
  // The first request lets the server build its index before the reader types.
  input.addEventListener('focus', () => found(''), { once: true })
  form.addEventListener('focusout', (event) => !form.contains(event.relatedTarget) && open(search, false))
  list.addEventListener('pointerdown', (event) => event.preventDefault())
  list.addEventListener('click', (event) => go(event.target.closest('li')))
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target.closest('input, textarea, select, [contenteditable]')
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    input.focus()
    input.select()
  })
}

async function ask(search) {
  const turn = ++search.asked
  const question = search.input.value.trim()
  const results = question === '' ? [] : await found(question)
  // Drops results that arrive after a newer query was sent.
  if (turn !== search.asked || results === null) return
  search.list.replaceChildren(...results.map(optionOf))
  choose(search, results.length > 0 ? 0 : -1)
  open(search, results.length > 0)
}

async function found(question) {
  try {
    const response = await fetch(`/docs/search.json?q=${encodeURIComponent(question)}`)
    return response.ok ? (await response.json()).results : null
  } catch {
    return null
  }
}

function optionOf({ path, title, section, description }, index) {
  const option = document.createElement('li')
  option.id = `found-${index}`
  option.role = 'option'
  option.dataset.path = path
  const [kind, name, words] = ['span', 'strong', 'small'].map((tag) => document.createElement(tag))
  kind.className = 'quiet'
  kind.textContent = section
  name.textContent = title
  words.textContent = description
  option.append(kind, name, words)
  return option
}

function onKey(event, search) {
  const { list, chosen } = search
  const count = list.children.length
  if (event.key === 'Escape') {
    if (list.hidden) search.input.blur()
    else open(search, false)
    event.preventDefault()
  } else if (count > 0 && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
    event.preventDefault()
    open(search, true)
    choose(search, (chosen + (event.key === 'ArrowDown' ? 1 : -1) + count) % count)
  } else if (event.key === 'Enter' && !list.hidden && chosen >= 0) {
    event.preventDefault()
    go(list.children[chosen])
  }
}

function choose(search, index) {
  search.chosen = index
  for (const [place, option] of [...search.list.children].entries()) option.ariaSelected = String(place === index)
  const option = search.list.children[index]
  if (option) search.input.setAttribute('aria-activedescendant', option.id)
  else search.input.removeAttribute('aria-activedescendant')
  option?.scrollIntoView({ block: 'nearest' })
}

function open(search, isOpen) {
  search.list.hidden = !isOpen
  search.input.setAttribute('aria-expanded', String(isOpen))
}

function go(option) {
  if (option) location.assign(option.dataset.path)
}

/** Scrolls only the navigation, if the current page is below its visible part. */
function showInNavigation(side, current) {
  if (!side || !current) return
  const below = current.getBoundingClientRect().bottom - side.getBoundingClientRect().bottom
  if (below > 0) side.scrollTop += below + side.clientHeight / 2
}

function addCopyButton(block) {
  if (!navigator.clipboard) return
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  button.addEventListener('click', async () => {
    const shown = [...block.querySelectorAll('pre')].find((pre) => pre.offsetParent !== null)
    await navigator.clipboard.writeText(shown.textContent.trimEnd())
    button.textContent = 'Copied'
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 2000)
  })
  block.append(button)
}

function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
}
