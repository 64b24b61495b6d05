// Updates the total when a quantity, an amount or the country changes, so that the button shows what the buyer pays.

/** The pause in typing, in milliseconds, before the order is updated. */
const PAUSE_MS = 350
const INPUTS = 'input[name^="quantity["], input[name^="amount["], select[name="place"]'
/** A partial VAT id is invalid, so this field is only sent when it loses the focus. */
const INPUTS_ON_BLUR = 'input[name="vat_id"]'
const ALL_INPUTS = `${INPUTS}, ${INPUTS_ON_BLUR}`

let timer
let latest = 0

const formOf = (page) => page.querySelector('form.checkout')

function changed({ target }) {
  if (!target.matches(INPUTS)) return
  clearTimeout(timer)
  timer = setTimeout(update, PAUSE_MS)
}

function left({ target }) {
  if (!target.matches(INPUTS_ON_BLUR)) return
  clearTimeout(timer)
  update()
}

async function update() {
  const form = formOf(document)
  const sent = new URLSearchParams(new FormData(form))
  // Updates never pay, so the card number stays in the browser.
  sent.delete('card')
  sent.set('do', 'update')
  const turn = ++latest
  try {
    const answer = await fetch(form.action, { method: 'POST', body: sent })
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    if (turn === latest) show(form, formOf(page), sent)
  } catch {
    fallBackToButton(form)
  }
}

/** Keeps the values that were typed since the update was sent. */
function show(form, fresh, sent) {
  if (!fresh?.querySelector('[name="agreed"]')) return fallBackToButton(form)
  const typed = new Map([...form.querySelectorAll(ALL_INPUTS)].map(({ name, value }) => [name, value]))
  const focused = document.activeElement?.id
  form.action = fresh.getAttribute('action')
  form.elements.agreed.value = fresh.elements.agreed.value
  replace(form, fresh, '.summary')
  replace(form, fresh, '.place')
  // If the order can no longer be paid, a message replaces the button.
  if (fresh.querySelector('.pay > .primary')) replace(form, fresh, '.pay > .primary')
  else replace(form, fresh, '.pay')
  replace(form, fresh, '.x402')
  replace(form, fresh, '.place')
  for (const input of form.querySelectorAll(ALL_INPUTS))
    if (typed.has(input.name) && typed.get(input.name) !== sent.get(input.name)) input.value = typed.get(input.name)
  if (focused) document.getElementById(focused)?.focus()
  form.querySelector('[role="status"]').textContent = form.querySelector('.amount').textContent
}

function replace(form, fresh, part) {
  const [present, next] = [form.querySelector(part), fresh.querySelector(part)]
  if (present && next) present.replaceWith(document.adoptNode(next))
}

function fallBackToButton(form) {
  form.classList.remove('updates')
}

const form = formOf(document)
if (form) {
  form.classList.add('updates')
  form.addEventListener('input', changed)
  form.addEventListener('change', left)
}
