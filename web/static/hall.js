// The hall follows live: whenever a table has changed, all of them are drawn anew.
const hall = document.getElementById("hall");

function follow() {
  const source = new EventSource(hall.dataset.stream);
  source.addEventListener("hall", (event) => {
    hall.innerHTML = event.data; // made by the hub's own template, every name escaped
  });
}

follow();
