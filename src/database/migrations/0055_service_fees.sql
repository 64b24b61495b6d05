-- Fees of the service are no sales of the account: a payment names the formation whose fee it takes, and has no order then.
alter table payments add column formation text;
-- The user who started a formation.
alter table formations add column founder text;
-- The product of earlier fees stays in the catalogue, archived, and counts as never sold.
update price_variants set sold_count = 0 where exists (
  select 1 from formations where formations.account_id = price_variants.account_id and formations.price_variant = price_variants.id
);
alter table formations drop column price_variant;

-- Earlier versions booked each fee as an order. Those whose money is not under way become payments alone.
update payments set formation = (
  select checkouts.formation from checkouts where checkouts.account_id = payments.account_id and checkouts.id = payments.checkout
)
where checkout is not null and not exists (
  select 1 from orders where orders.account_id = payments.account_id and orders.id = payments.order_id
    and (orders.status = 'disputed' or orders.amount_refunding > 0)
);

-- What the buyers of fees seem to have bought, for as long as it takes to correct it.
create table fee_orders (
  account_id text not null,
  id text not null,
  customer text not null,
  paid integer not null,
  spent bigint not null,
  created_at text not null,
  primary key (account_id, id)
);
insert into fee_orders (account_id, id, customer, paid, spent, created_at)
select orders.account_id, orders.id, orders.customer, case when orders.paid_at is null then 0 else 1 end,
  case when orders.paid_at is not null and orders.currency = accounts.default_currency then orders.amount - orders.amount_refunded else 0 end,
  orders.created_at
from orders
join payments on payments.account_id = orders.account_id and payments.order_id = orders.id
join accounts on accounts.account_id = orders.account_id
where payments.formation is not null;

delete from refunds where exists (select 1 from fee_orders where fee_orders.account_id = refunds.account_id and fee_orders.id = refunds."order");
delete from charges where exists (select 1 from fee_orders where fee_orders.account_id = charges.account_id and fee_orders.id = charges."order");
delete from order_items where exists (select 1 from fee_orders where fee_orders.account_id = order_items.account_id and fee_orders.id = order_items."order");
delete from access_grants where exists (select 1 from fee_orders where fee_orders.account_id = access_grants.account_id and fee_orders.id = access_grants.order_id);
delete from orders where exists (select 1 from fee_orders where fee_orders.account_id = orders.account_id and fee_orders.id = orders.id);
update payments set order_id = '' where formation is not null;
update checkouts set "order" = null, customer = null where formation is not null
  and exists (select 1 from payments where payments.account_id = checkouts.account_id and payments.checkout = checkouts.id and payments.formation is not null);

update customers set
  orders_count = orders_count - (
    select sum(paid) from fee_orders where fee_orders.account_id = customers.account_id and fee_orders.customer = customers.id
  ),
  total_spend = total_spend - (
    select sum(spent) from fee_orders where fee_orders.account_id = customers.account_id and fee_orders.customer = customers.id
  )
where exists (select 1 from fee_orders where fee_orders.account_id = customers.account_id and fee_orders.customer = customers.id);
-- Whoever became a customer by paying a fee, and has done nothing else, is none.
delete from customers where orders_count = 0 and exists (
  select 1 from fee_orders where fee_orders.account_id = customers.account_id and fee_orders.customer = customers.id
    and fee_orders.created_at = customers.created_at
) and not exists (select 1 from orders where orders.account_id = customers.account_id and orders.customer = customers.id)
  and not exists (select 1 from invoices where invoices.account_id = customers.account_id and invoices.customer = customers.id)
  and not exists (select 1 from checkouts where checkouts.account_id = customers.account_id and checkouts.customer = customers.id)
  and not exists (select 1 from reviews where reviews.account_id = customers.account_id and reviews.customer = customers.id)
  and not exists (select 1 from form_submissions where form_submissions.account_id = customers.account_id and form_submissions.respondent = customers.id)
  and not exists (select 1 from customer_tags where customer_tags.account_id = customers.account_id and customer_tags.customer_id = customers.id);
update customers set customer_type = 'lead' where orders_count = 0 and customer_type <> 'lead' and exists (
  select 1 from fee_orders where fee_orders.account_id = customers.account_id and fee_orders.customer = customers.id
);
drop table fee_orders;
