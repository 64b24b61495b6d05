-- online
-- Accounts that charge through the service's own keys keep them until they connect a provider of their own.
-- repeat
update accounts set charges_by_service = 1
where (account_id, id) in (
  select charging.account_id, charging.id from accounts as charging
  where charging.charges_by_service = 0 and charging.test = 0 and exists (
    select 1 from payments
    where payments.account_id = charging.account_id and payments.status = 'succeeded' and payments.provider not in ('test', 'x402')
      and (payments.amount > 0 or payments.method is not null)
  )
  limit 100
);
