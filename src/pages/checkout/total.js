// Shows the total anew when a quantity, an amount or the country is changed, so that the buyer pays what is on the button.

/** Milliseconds without typing until the order is changed. */
const PAUSE_MS = 350
const TYPED = 'input[name^="quantity["], input[name^="amount["], select[name="place"]'
/** Half a VAT id is none, so this one counts when it is left. */
const LEFT = 'input[name="vat_id"]'
const CHANGES = `${TYPED}, ${LEFT}`

let timer
let latest = 0

const formOf = (page) => page.querySelector('form.checkout')

function changed({ target }) {
  if (!target.matches(TYPED)) return
  clearTimeout(timer)
  timer = setTimeout(update, PAUSE_MS)
}

function left({ target }) {
  if (!target.matches(LEFT)) return
  clearTimeout(timer)
  update()
}

async function update() {
  const form = formOf(document)
  const sent = new URLSearchParams(new FormData(form))
  // Nothing is paid here, so a card stays where it was typed.
  sent.delete('card')
  sent.set('do', 'update')
  const turn = ++latest
  try {
    const answer = await fetch(form.action, { method: 'POST', body: sent })
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    if (turn === latest) show(form, formOf(page), sent)
  } catch {
    byHand(form)
  }
}

/** The order as it is now; what was typed since stays. */
function show(form, fresh, sent) {
  if (!fresh?.querySelector('[name="agreed"]')) return byHand(form)
  const typed = new Map([...form.querySelectorAll(CHANGES)].map(({ name, value }) => [name, value]))
  const focused = document.activeElement?.id
  form.action = fresh.getAttribute('action')
  form.elements.agreed.value = fresh.elements.agreed.value
  replace(form, fresh, '.summary')
  replace(form, fresh, '.place')
  // What cannot be paid any more says so in place of the button.
  if (fresh.querySelector('.pay > .primary')) replace(form, fresh, '.pay > .primary')
  else replace(form, fresh, '.pay')
  replace(form, fresh, '.x402')
  replace(form, fresh, '.place')
  for (const input of form.querySelectorAll(CHANGES))
    if (typed.has(input.name) && typed.get(input.name) !== sent.get(input.name)) input.value = typed.get(input.name)
  if (focused) document.getElementById(focused)?.focus()
  form.querySelector('[role="status"]').textContent = form.querySelector('.amount').textContent
}

function replace(form, fresh, part) {
  const [present, next] = [form.querySelector(part), fresh.querySelector(part)]
  if (present && next) present.replaceWith(document.adoptNode(next))
}

/** The button does it where the script cannot. */
function byHand(form) {
  form.classList.remove('updates')
}

const form = formOf(document)
if (form) {
  form.classList.add('updates')
  form.addEventListener('input', changed)
  form.addEventListener('change', left)
}
