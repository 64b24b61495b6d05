import { Upload } from 'dashboard/upload'

/** Uploads the files that are dropped on a form, and adds them to the form. */
export class Drop extends Upload {
  static values = { ...Upload.values, name: String }
  static targets = ['input', 'list', 'drop', 'show']

  connect() {
    this.dropTarget.hidden = false
  }

  async send(files) {
    let sent = 0
    for (const file of files) {
      const id = await this.sendOne(file)
      if (!id) continue
      const chosen = document.createElement('input')
      Object.assign(chosen, { type: 'hidden', name: this.nameValue, value: id })
      // Append the new file after the chosen ones, so that their order stays the same.
      this.element.closest('[data-part]').append(chosen)
      sent += 1
    }
    if (sent > 0) this.showTarget.click()
  }
}
