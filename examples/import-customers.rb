# atomic: false
# Brings customers over from an old list. Each is kept by itself, so one bad line does not hold up the others.
lines = <<~CSV
  ada@example.com,Ada Lovelace
  grace@example.com,Grace Hopper
  not-an-address,Nobody
  alan@example.com,Alan Turing
CSV

report = { created: [], known: [], refused: {} }
lines.each_line(chomp: true) do |line|
  email, name = line.split(",")
  if list("/customers", email: email).any?
    report[:known] << email
  else
    report[:created] << post("/customers", email: email, name: name, tags: ["imported"])["id"]
  end
rescue RefusedError => refusal
  report[:refused][email] = refusal.error["message"]
end
report
