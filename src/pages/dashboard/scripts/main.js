// Begins what the dashboard does beyond links and forms. Everything works without it.
import { Application } from '@hotwired/stimulus'
import '@hotwired/turbo'
import { Copy } from 'dashboard/copy'
import { Editor } from 'dashboard/editor'
import { Menu } from 'dashboard/menu'
import { Order } from 'dashboard/order'
import { Passkey } from 'dashboard/passkey'
import { PaymentLink } from 'dashboard/payment-link'
import { Refresh } from 'dashboard/refresh'
import { Upload } from 'dashboard/upload'

// Tabs that do not fit scroll sideways: the open one is brought into sight.
document.addEventListener('turbo:load', () => {
  const open = document.querySelector('.tab[aria-current]')
  const bar = open?.closest('.tabs')
  if (bar) bar.scrollLeft = open.offsetLeft - (bar.clientWidth - open.offsetWidth) / 2
})

const application = Application.start()
application.register('copy', Copy)
application.register('editor', Editor)
application.register('menu', Menu)
application.register('order', Order)
application.register('passkey', Passkey)
application.register('payment-link', PaymentLink)
application.register('refresh', Refresh)
application.register('upload', Upload)

export { application }
