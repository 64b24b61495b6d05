import { Controller } from '@hotwired/stimulus'

const OWN = 'a, button, input, label, select, textarea, summary'

/** Opens rows on click, and selects them singly, in a range with Shift, or all at once. */
export class Rows extends Controller {
  static targets = ['all', 'count']

  connect() {
    this.element.classList.add('opens')
  }

  allTargetConnected(label) {
    label.hidden = false
    this.count()
  }

  /** Follows the row's link, unless the click selects text or hits a control. */
  open(event) {
    const box = event.target.closest('[name="chosen"]')
    if (box && event.type === 'click') this.chooseRange(box, event.shiftKey)
    const link = event.target.closest('tr[data-row]')?.querySelector('.row-link')
    const isMeant = event.button === 0 || event.button === 1
    if (!link || !isMeant || event.target.closest(`${OWN}, .choose-row`) || !getSelection().isCollapsed) return
    if (event.button === 1 || event.ctrlKey || event.metaKey) window.open(link.href, '_blank', 'noopener')
    else link.click()
  }

  chooseRange(box, isRange) {
    const boxes = this.boxes
    const [from, to] = [boxes.indexOf(this.last), boxes.indexOf(box)]
    if (isRange && from >= 0)
      for (const between of boxes.slice(Math.min(from, to), Math.max(from, to) + 1)) between.checked = box.checked
    this.last = box
    this.count()
  }

  chooseAll({ target }) {
    for (const box of this.boxes) box.checked = target.checked
    this.count()
  }

  count() {
    const [boxes, chosen] = [this.boxes, this.boxes.filter((box) => box.checked)]
    for (const label of this.allTargets) {
      const all = label.querySelector('input')
      all.checked = boxes.length > 0 && chosen.length === boxes.length
      all.indeterminate = chosen.length > 0 && chosen.length < boxes.length
    }
    for (const place of this.countTargets) place.textContent = `${chosen.length} chosen:`
  }

  get boxes() {
    return [...this.element.querySelectorAll('[name="chosen"]')]
  }
}
