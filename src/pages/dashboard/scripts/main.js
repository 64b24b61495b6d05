// Starts the scripts of the dashboard. Everything also works without them.
import { Application } from '@hotwired/stimulus'
import '@hotwired/turbo'
import { Copy } from 'dashboard/copy'
import { Drag } from 'dashboard/drag'
import { Drop } from 'dashboard/drop'
import { Editor } from 'dashboard/editor'
import { List } from 'dashboard/list'
import { Menu } from 'dashboard/menu'
import { Order } from 'dashboard/order'
import { Palette } from 'dashboard/palette'
import { Passkey } from 'dashboard/passkey'
import { PaymentLink } from 'dashboard/payment-link'
import { Plot } from 'dashboard/plot'
import { Preview } from 'dashboard/preview'
import { Refresh } from 'dashboard/refresh'
import { Rows } from 'dashboard/rows'
import { Sidebar } from 'dashboard/sidebar'
import { Unsaved } from 'dashboard/unsaved'
import { Upload } from 'dashboard/upload'

// Scrolls the current tab into view if the tabs do not fit.
document.addEventListener('turbo:load', () => {
  const open = document.querySelector('.tab[aria-current]')
  const bar = open?.closest('.tabs')
  if (bar) bar.scrollLeft = open.offsetLeft - (bar.clientWidth - open.offsetWidth) / 2
})

const application = Application.start()
application.register('copy', Copy)
application.register('drag', Drag)
application.register('drop', Drop)
application.register('editor', Editor)
application.register('list', List)
application.register('menu', Menu)
application.register('order', Order)
application.register('palette', Palette)
application.register('passkey', Passkey)
application.register('payment-link', PaymentLink)
application.register('plot', Plot)
application.register('preview', Preview)
application.register('refresh', Refresh)
application.register('rows', Rows)
application.register('sidebar', Sidebar)
application.register('unsaved', Unsaved)
application.register('upload', Upload)

export { application }
