import { Controller } from '@hotwired/stimulus'

/** Closes a `details` element on Escape or a click elsewhere. */
export class Menu extends Controller {
  closeOutside(event) {
    if (!this.element.contains(event.target)) this.element.open = false
  }

  close() {
    if (!this.element.open) return
    this.element.open = false
    this.element.querySelector('summary').focus()
  }
}
