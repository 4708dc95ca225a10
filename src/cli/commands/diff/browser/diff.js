/* The plots of a comparison, drawn by Chart.js from the data that stands in the page; again where the scheme changes. */
(() => {
  const { Chart } = window;
  const data = JSON.parse(document.getElementById('data').textContent);
  const number = new Intl.NumberFormat('en');
  const entries = (many) => `${number.format(many)} ${many === 1 ? 'entry' : 'entries'}`;
  const signed = (value) => (value > 0 ? `+${value}` : String(value));
  const shortened = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
  const dark = window.matchMedia('(prefers-color-scheme: dark)');
  let charts = [];

  function draw() {
    for (const chart of charts) chart.destroy();
    const styles = getComputedStyle(document.documentElement);
    const colour = (name) => styles.getPropertyValue(`--${name}`).trim();
    Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
    Chart.defaults.color = colour('quiet');
    Chart.defaults.borderColor = colour('line');
    charts = [scores(colour), distribution(colour), categories(colour)];
  }

  function scores(colour) {
    // A cell may hold one entry, or most of them: by its area alone, all others would be specks.
    const size = window.innerWidth < 600 ? 0.6 : 1;
    const radius = (many) => size * (1.8 + 0.8 * Math.log2(many));
    const dots = data.cells.map((cell) => ({
      x: cell.before,
      y: cell.after,
      r: radius(cell.entries),
      said: `${entries(cell.entries)}: about ${cell.before} before, ${cell.after} after`,
    }));
    const movers = data.movers.map(({ id, title, before, after }) => ({
      x: before,
      y: after,
      r: 5,
      said: `${shortened(title || id, 40)}: ${before} before, ${after} after`,
    }));
    const axis = (text) => ({ min: 0, max: 100, title: { display: true, text } });
    return new Chart('scores', {
      type: 'bubble',
      data: {
        datasets: [
          {
            type: 'bubble',
            data: movers,
            backgroundColor: 'transparent',
            borderColor: colour('fell'),
            borderWidth: 2,
            clip: false,
          },
          { type: 'bubble', data: dots, backgroundColor: colour('dot'), borderWidth: 0, clip: false },
          {
            type: 'line',
            data: [
              { x: 0, y: 0 },
              { x: 100, y: 100 },
            ],
            borderColor: colour('quiet'),
            borderWidth: 1,
            borderDash: [4, 4],
            pointRadius: 0,
            pointHitRadius: 0,
          },
        ],
      },
      options: {
        ...SHARED,
        scales: { x: axis('score before'), y: axis('score after') },
        plugins: { legend: { display: false }, tooltip: { callbacks: { label: ({ raw }) => raw.said } } },
      },
    });
  }

  function distribution(colour) {
    const bars = data.distribution.filter(({ from, to }) => from !== to);
    // Where no entry moved, a bar of nothing keeps its axes.
    return new Chart('distribution', {
      type: 'bar',
      data: {
        labels: bars.map(({ from, to }) => signed(from < 0 ? from : to)),
        datasets: [
          {
            data: bars.map((bar) => bar.entries),
            backgroundColor: bars.map(({ from }) => colour(from < 0 ? 'fell' : 'rose')),
            categoryPercentage: 1,
            barPercentage: 0.92,
          },
        ],
      },
      options: {
        ...SHARED,
        scales: {
          x: { title: { display: true, text: 'points moved, up to' }, grid: { display: false } },
          y: { beginAtZero: true, ticks: { precision: 0 }, title: { display: true, text: 'entries' } },
        },
        plugins: {
          legend: { display: false },
          tooltip: {
            callbacks: {
              title: ([{ dataIndex }]) => `${signed(bars[dataIndex].from)} to ${signed(bars[dataIndex].to)}`,
              label: ({ raw }) => entries(raw),
            },
          },
        },
      },
    });
  }

  function categories(colour) {
    const rows = data.categories;
    const canvas = document.getElementById('categories');
    canvas.parentElement.style.height = `${6 + 1.75 * Math.max(rows.length, 2)}rem`;
    const dataset = (label, name, sign) => ({
      label,
      data: rows.map((row) => sign * row[name]),
      backgroundColor: colour(name),
    });
    return new Chart(canvas, {
      type: 'bar',
      data: {
        labels: rows.map(({ category }) => shortened(category, window.innerWidth < 600 ? 16 : 32)),
        datasets: [dataset('fell', 'fell', -1), dataset('rose', 'rose', 1)],
      },
      options: {
        ...SHARED,
        indexAxis: 'y',
        scales: {
          x: {
            stacked: true,
            ticks: { precision: 0, callback: (value) => number.format(Math.abs(value)) },
            title: { display: true, text: 'entries' },
          },
          y: { stacked: true, ticks: { autoSkip: false }, grid: { display: false } },
        },
        plugins: {
          tooltip: {
            callbacks: {
              title: ([{ dataIndex }]) => rows[dataIndex].category,
              label: ({ raw, dataset: { label } }) => `${entries(Math.abs(raw))} ${label}`,
              footer: ([{ dataIndex }]) =>
                `${signed(rows[dataIndex].mean)} points on average, of ${entries(rows[dataIndex].entries)}`,
            },
          },
        },
      },
    });
  }

  const SHARED = { responsive: true, maintainAspectRatio: false, animation: false };

  draw();
  dark.addEventListener('change', draw);
})();
