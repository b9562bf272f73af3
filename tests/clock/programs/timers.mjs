// Timers that come due while others work, an interval of 1 ms, and a loop that spins on the clock.
const start = performance.now();
const fired = [];
const at = () => (performance.now() - start) / 1000;
const burn = (ms) => {
  const end = process.cpuUsage().user + ms * 1000;
  while (process.cpuUsage().user < end);
};

for (const delay of [30, 10, 11, 12, 1000])
  setTimeout(() => {
    burn(5);
    fired.push([delay / 1000, at()]);
  }, delay);
let ticks = 0;
const interval = setInterval(() => {
  if (++ticks === 200) {
    clearInterval(interval);
    fired.push(['200 ticks', at()]);
  }
}, 1);
setTimeout(() => {
  const now = Date.now();
  while (Date.now() < now + 200);
  fired.push(['spin', Date.now() - now]);
}, 1500);
setTimeout(() => console.log(JSON.stringify({ fired, total: at() })), 3000);
