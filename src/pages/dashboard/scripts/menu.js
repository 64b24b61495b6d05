import { Controller } from '@hotwired/stimulus'

/** A `details` that closes when something else is clicked, and with Escape. */
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
