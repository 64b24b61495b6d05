import { Controller } from '@hotwired/stimulus'

/** Lets rows of a form be dragged into another order, which the server then applies. Buttons do the same by keyboard. */
export class Drag extends Controller {
  static targets = ['handle']

  handleTargetConnected(handle) {
    handle.hidden = false
  }

  begin(event) {
    if (!event.target.matches?.('[data-drag-target="handle"]')) return
    this.row = event.target.closest('[data-mark]')
    event.dataTransfer.effectAllowed = 'move'
    event.dataTransfer.setData('text/plain', this.row.querySelector('legend').textContent)
    event.dataTransfer.setDragImage(this.row, 0, 0)
    this.before = this.order
  }

  over(event) {
    if (!this.row) return
    event.preventDefault()
    const other = event.target.closest('[data-mark]')
    if (!other || other === this.row) return
    const { top, height } = other.getBoundingClientRect()
    if (event.clientY < top + height / 2) other.before(this.row)
    else other.after(this.row)
  }

  drop(event) {
    if (this.row) event.preventDefault()
  }

  end() {
    if (!this.row) return
    this.row = null
    if (this.order === this.before) return
    const part = this.element.closest('[data-part]')
    part.querySelector('[name="price_rows"]').value = this.order
    part.querySelector('[value="order price"]').click()
  }

  get order() {
    return [...this.element.querySelectorAll('[data-mark]')].map(({ dataset }) => dataset.mark).join(' ')
  }
}
