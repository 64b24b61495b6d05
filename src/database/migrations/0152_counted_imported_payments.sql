-- online
-- Earlier imports: payments without an order of this shop were charged elsewhere.
-- repeat
update subscriptions set imported_payments_count = payments_count - (
  select count(*) from orders
  where orders.account_id = subscriptions.account_id and orders.subscription = subscriptions.id and orders.channel <> 'import'
    and orders.status in ('succeeded', 'partially_refunded', 'refunded', 'disputed')
)
where (account_id, id) in (
  select imported.account_id, imported.id from imported_rows
  join subscriptions as imported on imported.account_id = imported_rows.account_id and imported.id = imported_rows.id
  where imported_rows.kind = 'subscription' and imported.imported_payments_count = 0 and imported.payments_count > (
    select count(*) from orders
    where orders.account_id = imported.account_id and orders.subscription = imported.id and orders.channel <> 'import'
      and orders.status in ('succeeded', 'partially_refunded', 'refunded', 'disputed')
  )
  limit 100
);
